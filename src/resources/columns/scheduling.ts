import type { ResourceObject } from '../../meta/object.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import { age } from './ages.ts';
import { podGroupDefinitions, priorityClassDefinitions } from './definitions/scheduling.ts';
import { nameAndAge } from './name-and-age.ts';

interface PriorityClass extends ResourceObject {
  readonly value?: number;
  readonly globalDefault?: boolean;
  readonly preemptionPolicy?: string;
}

const priorityClass: TableColumns = {
  definitions: priorityClassDefinitions,
  cells(object, now) {
    const { metadata, value, globalDefault, preemptionPolicy } = object as PriorityClass;
    return [metadata.name ?? '', value ?? 0, globalDefault ?? false, age(object, now), preemptionPolicy ?? ''];
  },
};

interface PodGroup extends ResourceObject {
  readonly spec?: {
    readonly schedulingPolicy?: { readonly gang?: object };
    readonly podGroupTemplateRef?: { readonly workload?: { readonly workloadName?: string } | null } | null;
  };
  readonly status?: {
    readonly conditions?: readonly { readonly type?: string; readonly status?: string; readonly reason?: string }[];
  };
}

const podGroup: TableColumns = {
  definitions: podGroupDefinitions,
  cells(object, now) {
    const { metadata, spec = {} } = object as PodGroup;
    const { schedulingPolicy, podGroupTemplateRef: template } = spec;
    return [
      metadata.name ?? '',
      schedulingPolicy?.gang === undefined ? 'Basic' : 'Gang',
      template ? (template.workload?.workloadName ?? '') : '<none>',
      groupState(object),
      age(object, now),
    ];
  },
};

function groupState({ status }: PodGroup): string {
  const conditions = status?.conditions ?? [];
  const disrupted = conditions.find(({ type }) => type === 'DisruptionTarget');
  if (disrupted !== undefined) return disrupted.reason ?? '';
  const scheduled = conditions.find(({ type }) => type === 'PodGroupScheduled');
  if (scheduled === undefined) return 'Pending';
  return scheduled.status === 'True' ? 'Scheduled' : 'Unschedulable';
}

export const schedulingColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['scheduling.k8s.io/PriorityClass', priorityClass],
  ['scheduling.k8s.io/PodGroup', podGroup],
  ['scheduling.k8s.io/Workload', nameAndAge],
]);
