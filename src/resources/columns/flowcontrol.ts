import type { TableColumns } from '../../meta/table-columns.ts';
import type { FlowSchema } from '../flowcontrol/flow-schema-types.ts';
import type { PriorityLevelConfiguration } from '../flowcontrol/priority-level-types.ts';
import { age } from './ages.ts';
import { flowSchemaDefinitions, priorityLevelConfigurationDefinitions } from './definitions/flowcontrol.ts';

const flowSchema: TableColumns = {
  definitions: flowSchemaDefinitions,
  cells(object, now) {
    const { metadata, spec, status } = object as FlowSchema;
    return [
      metadata.name ?? '',
      spec?.priorityLevelConfiguration?.name ?? '',
      spec?.matchingPrecedence ?? 0,
      spec?.distinguisherMethod === undefined ? '<none>' : (spec.distinguisherMethod.type ?? ''),
      age(object, now),
      status?.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?',
    ];
  },
  /** Sorts in matching order. */
  compare(left: FlowSchema, right: FlowSchema) {
    const difference = (left.spec?.matchingPrecedence ?? 0) - (right.spec?.matchingPrecedence ?? 0);
    if (difference !== 0) return difference;
    return (left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1;
  },
};

const priorityLevelConfiguration: TableColumns = {
  definitions: priorityLevelConfigurationDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as PriorityLevelConfiguration;
    const { limited } = spec ?? {};
    const queuing = limited?.limitResponse?.queuing;
    const queuingCells =
      queuing === undefined
        ? ['<none>', '<none>', '<none>']
        : [queuing.queues ?? 0, queuing.handSize ?? 0, queuing.queueLengthLimit ?? 0];
    return [
      metadata.name ?? '',
      spec?.type ?? '',
      limited === undefined ? '<none>' : (limited.nominalConcurrencyShares ?? 0),
      ...queuingCells,
      age(object, now),
    ];
  },
};

export const flowcontrolColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['flowcontrol.apiserver.k8s.io/FlowSchema', flowSchema],
  ['flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration', priorityLevelConfiguration],
]);
