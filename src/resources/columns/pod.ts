import { humanDuration } from '../../meta/human-duration.ts';
import type { RowCondition, TableColumns } from '../../meta/table-columns.ts';
import type { Pod } from '../core/pod-types.ts';
import { age } from './ages.ts';
import { podDefinitions } from './definitions/core.ts';
import { podSummary } from './pod-summary.ts';

const completed = { type: 'Completed', status: 'True' };
const phaseConditions: Readonly<Record<string, readonly RowCondition[]>> = {
  Succeeded: [{ ...completed, reason: 'Succeeded', message: 'The pod has completed successfully.' }],
  Failed: [{ ...completed, reason: 'Failed', message: 'The pod failed.' }],
};

export const podColumns: TableColumns = {
  definitions: podDefinitions,
  cells(object, now) {
    const { metadata, spec, status } = object as Pod;
    const { ready, total, reason, restarts, lastRestart } = podSummary(object);
    const isTimed = restarts !== 0 && lastRestart !== undefined;
    return [
      metadata.name ?? '',
      `${ready}/${total}`,
      reason,
      isTimed ? `${restarts} (${humanDuration(now - lastRestart)} ago)` : String(restarts),
      age(object, now),
      status?.podIPs?.[0]?.ip || '<none>',
      spec?.nodeName || '<none>',
      status?.nominatedNodeName || '<none>',
      readinessGates(object),
    ];
  },
  conditions(object) {
    const { phase = '' } = (object as Pod).status ?? {};
    return Object.hasOwn(phaseConditions, phase) ? phaseConditions[phase] : undefined;
  },
};

function readinessGates({ spec, status }: Pod): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const isOpen = ({ conditionType }: { conditionType?: string }): boolean =>
    status?.conditions?.find(({ type }) => type === conditionType)?.status === 'True';
  return `${gates.filter(isOpen).length}/${gates.length}`;
}
