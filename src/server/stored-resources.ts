import type { StoredResource } from '../bootstrap/storage-versions.ts';
import { apiVersionOf, qualifiedResource } from '../meta/group-version.ts';
import { storageVersionsResource } from '../meta/storage-version.ts';
import type { ResourceDefinition, StorageLayout } from '../registry/index.ts';
import { builtInResources, optionalResources } from '../resources/index.ts';
import type { ResolvedOptions } from './options.ts';

/** Throws a RangeError when storage versions should be published but cannot be. */
export function checkStorageVersionApi(
  definitions: readonly ResourceDefinition[],
  { featureGates }: Pick<ResolvedOptions, 'featureGates'>,
): void {
  const { group, version, resource } = storageVersionsResource;
  const isServed = definitions.some((one) => one.group === group && one.resource === resource);
  if (!featureGates.StorageVersionAPI || isServed) return;
  throw new RangeError(`the feature gate StorageVersionAPI needs the runtime configuration ${group}/${version}=true`);
}

/** The content of this server's StorageVersions: the versions of every built-in resource that it serves and stores. */
export function storedResources(
  definitions: readonly ResourceDefinition[],
  { storage }: Pick<ResolvedOptions, 'storage'>,
): StoredResource[] {
  const prefixOf = ({ storage: layout }: ResourceDefinition): string => layout?.keyPrefix ?? '';
  const known = Map.groupBy([...builtInResources, ...optionalResources], prefixOf);
  const served = Map.groupBy(
    definitions.filter((definition) => definition.storage !== undefined),
    prefixOf,
  );
  return [...served].map(([prefix, versions]) => {
    // A type in two groups has one StorageVersion, of the first group on all servers.
    const { group, resource, storage: layout } = versions.toSorted(byName)[0]!;
    const encodingVersion = storedVersion(layout!, storage);
    const decodable = (known.get(prefix) ?? versions).toSorted(byName).map(apiVersionOf);
    return {
      resource: { group, resource },
      equivalent: versions,
      encodingVersion,
      decodableVersions: [...new Set([...decodable, encodingVersion])],
      servedVersions: versions.filter((one) => one.group === group).map(apiVersionOf),
    };
  });
}

/** In etcd, objects have the version that kube-apiserver stores. */
function storedVersion({ group, version, hashVersion }: StorageLayout, storage: ResolvedOptions['storage']): string {
  return apiVersionOf({ group, version: (storage === 'etcd' && hashVersion) || version });
}

function byName(left: ResourceDefinition, right: ResourceDefinition): number {
  const [first, second] = [qualifiedResource(left), qualifiedResource(right)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}
