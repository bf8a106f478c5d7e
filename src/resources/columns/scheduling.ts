import type { ResourceObject } from '../../meta/object.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import { age } from './ages.ts';
import { priorityClassDefinitions } from './definitions/scheduling.ts';

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

export const schedulingColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['scheduling.k8s.io/PriorityClass', priorityClass],
]);
