import { apiVersionOf } from '../../meta/group-version.ts';
import type { ServedGroup } from './served-groups.ts';

/** The document at `/api`. It is the only one without an apiVersion. */
export function apiVersions(core: ServedGroup | undefined, serverAddress: string): object {
  return {
    kind: 'APIVersions',
    versions: (core?.versions ?? []).map(({ version }) => version),
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

/** The document at `/apis`. */
export function apiGroupList(groups: readonly ServedGroup[]): object {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupSummary) };
}

/** The document at `/apis/<group>`. */
export function apiGroup(group: ServedGroup): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupSummary(group) };
}

function groupSummary({ name, versions }: ServedGroup): object {
  const summaries = versions.map(({ version }) => ({ groupVersion: apiVersionOf({ group: name, version }), version }));
  return { name, versions: summaries, preferredVersion: summaries[0] };
}
