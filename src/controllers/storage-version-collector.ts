import { untilAborted } from '../client/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import {
  type ServerStorageVersion,
  type StorageVersion,
  storageVersionsResource,
  withServers,
} from '../meta/storage-version.ts';
import type { Controller } from './controller.ts';
import { ignoreNotFound } from './ignore-not-found.ts';

const leases = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
const leaseNamespace = 'kube-system';
const identityLabel = 'apiserver.kubernetes.io/identity';

/** Removes the entries of servers without a Lease from StorageVersions, and StorageVersions without entries. */
export function storageVersionCollector({ isEnabled }: { readonly isEnabled: boolean }): Controller {
  return {
    name: 'storageversion-garbage-collector-controller',
    aliases: ['storage-version-gc'],

    async run({ client, informers, queue: makeQueue, clock }, signal) {
      // The type is served on request only. Then clients may use it for their own purposes.
      if (!isEnabled) return untilAborted(signal);
      const versions = informers.informer<StorageVersion>(storageVersionsResource);
      const servers = informers.informer(leases, { namespace: leaseNamespace });
      const objects = client.resource<StorageVersion>(storageVersionsResource);
      const ownLeases = client.resource(leases, leaseNamespace);
      const isAlive = async ({ apiServerID }: ServerStorageVersion): Promise<boolean> =>
        isIdentity(await ownLeases.get(apiServerID).catch(ignoreNotFound));
      const queue = makeQueue(async (name) => {
        // The informers may not have received a server that has just started.
        const found = await objects.get(name).catch(ignoreNotFound);
        const entries = found?.status?.storageVersions ?? [];
        if (found === undefined || entries.length === 0) return;
        const alive = await Promise.all(entries.map(isAlive));
        if (alive.every(Boolean)) return;
        const left = entries.filter((_, index) => alive[index]);
        const { uid = '', resourceVersion = '' } = found.metadata;
        if (left.length > 0) {
          const next = withServers(found, left, new Date(clock.now()));
          await objects.update(next, { subresource: 'status' });
        } else await objects.delete(name, {}, { preconditions: { uid, resourceVersion } }).catch(ignoreNotFound);
      });
      await servers.synced;
      const collect = ({ metadata: { name = '' }, status }: StorageVersion): void => {
        const isKnown = ({ apiServerID }: ServerStorageVersion): boolean =>
          isIdentity(servers.get(leaseNamespace, apiServerID));
        if (!(status?.storageVersions ?? []).every(isKnown)) queue.add(name);
      };
      versions.addHandler({ added: collect, updated: collect });
      servers.addHandler({ deleted: () => versions.list().forEach(collect) });
      await untilAborted(signal);
    },
  };
}

function isIdentity(lease: ResourceObject | undefined): boolean {
  return lease?.metadata.labels?.[identityLabel] === 'kube-apiserver';
}
