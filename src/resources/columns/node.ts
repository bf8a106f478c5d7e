import type { TableColumns } from '../../meta/table-columns.ts';
import type { Node } from '../core/node-types.ts';
import { age } from './ages.ts';
import { nodeDefinitions } from './definitions/core.ts';

const rolePrefix = 'node-role.kubernetes.io/';
const roleLabel = 'kubernetes.io/role';

export const nodeColumns: TableColumns = {
  definitions: nodeDefinitions,
  cells(object, now) {
    const { metadata, status } = object as Node;
    const info = status?.nodeInfo;
    return [
      metadata.name ?? '',
      stateText(object),
      rolesText(object),
      age(object, now),
      info?.kubeletVersion ?? '',
      addressText(object, 'InternalIP'),
      addressText(object, 'ExternalIP'),
      info?.osImage || '<unknown>',
      kernelText(info),
      info?.containerRuntimeVersion || '<unknown>',
    ];
  },
};

function stateText({ spec, status }: Node): string {
  // If there are two such conditions, the last one is used.
  const ready = status?.conditions?.findLast(({ type }) => type === 'Ready');
  const state = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec?.unschedulable ? `${state},SchedulingDisabled` : state;
}

function rolesText({ metadata }: Node): string {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(metadata.labels ?? {})) {
    if (key.startsWith(rolePrefix)) roles.add(key.slice(rolePrefix.length));
    else if (key === roleLabel) roles.add(value);
  }
  roles.delete('');
  return [...roles].sort().join(',') || '<none>';
}

function addressText({ status }: Node, wanted: string): string {
  return status?.addresses?.find(({ type }) => type === wanted)?.address ?? '<none>';
}

function kernelText(info: NonNullable<Node['status']>['nodeInfo']): string {
  if (!info?.kernelVersion) return '<unknown>';
  return info.architecture ? `${info.kernelVersion} (${info.architecture})` : info.kernelVersion;
}
