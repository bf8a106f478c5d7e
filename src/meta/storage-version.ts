import type { ResourceObject } from './object.ts';

/** The versions in which one server stores, reads and serves a resource. */
export interface ServerStorageVersion {
  /** The name of the server's Lease. */
  readonly apiServerID: string;
  readonly encodingVersion: string;
  readonly decodableVersions: readonly string[];
  readonly servedVersions?: readonly string[];
}

interface StorageVersionCondition {
  readonly type: string;
  readonly status: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string;
  readonly reason: string;
  readonly message: string;
}

/** The storage versions of a resource that the servers of a store publish. */
export interface StorageVersion extends ResourceObject {
  readonly status?: {
    readonly storageVersions?: readonly ServerStorageVersion[];
    readonly commonEncodingVersion?: string;
    readonly conditions?: readonly StorageVersionCondition[];
  };
}

export const storageVersionsResource = {
  group: 'internal.apiserver.k8s.io',
  version: 'v1alpha1',
  resource: 'storageversions',
};

const allEqual = 'AllEncodingVersionsEqual';

/** Returns the object with these servers, and with the common version and condition that result from them. */
export function withServers(
  object: StorageVersion,
  servers: readonly ServerStorageVersion[],
  now: Date,
): StorageVersion {
  const common = commonVersion(servers);
  const conditions = object.status?.conditions ?? [];
  const before = conditions.find(({ type }) => type === allEqual);
  const status = common === undefined ? 'False' : 'True';
  const condition = {
    type: allEqual,
    status,
    ...(object.metadata.generation !== undefined && { observedGeneration: object.metadata.generation }),
    lastTransitionTime: before?.status === status ? before.lastTransitionTime! : `${now.toISOString().slice(0, 19)}Z`,
    reason: common === undefined ? 'CommonEncodingVersionUnset' : 'CommonEncodingVersionSet',
    message: common === undefined ? 'Common encoding version unset' : 'Common encoding version set',
  };
  return {
    ...object,
    status: {
      storageVersions: servers,
      ...(common !== undefined && { commonEncodingVersion: common }),
      conditions:
        before === undefined ? [...conditions, condition] : conditions.map((one) => (one === before ? condition : one)),
    },
  };
}

/** Returns the object with the entry of one server added or replaced. */
export function withServer(object: StorageVersion, server: ServerStorageVersion, now: Date): StorageVersion {
  const present = object.status?.storageVersions ?? [];
  const isKnown = present.some(({ apiServerID }) => apiServerID === server.apiServerID);
  const servers = isKnown
    ? present.map((one) => (one.apiServerID === server.apiServerID ? server : one))
    : [...present, server];
  return withServers(object, servers, now);
}

function commonVersion(servers: readonly ServerStorageVersion[]): string | undefined {
  const versions = new Set(servers.map(({ encodingVersion }) => encodingVersion));
  return versions.size === 1 ? servers[0]!.encodingVersion : undefined;
}
