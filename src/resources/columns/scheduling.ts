import type { TableColumns } from '../../meta/table-columns.ts';
import type { PodGroup } from '../scheduling/pod-group-types.ts';
import type { PriorityClass } from '../scheduling/priority-class-types.ts';
import { age } from './ages.ts';
import { podGroupDefinitions, priorityClassDefinitions } from './definitions/scheduling.ts';
import { nameAndAge } from './name-and-age.ts';

const priorityClass: TableColumns = {
  definitions: priorityClassDefinitions,
  cells(object, now) {
    const { metadata, value, globalDefault, preemptionPolicy } = object as PriorityClass;
    return [metadata.name ?? '', value ?? 0, globalDefault ?? false, age(object, now), preemptionPolicy ?? ''];
  },
};

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
