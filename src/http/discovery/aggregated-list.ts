import type { GroupVersion } from '../../meta/group-version.ts';
import type { ResourceDefinition, SubresourceDefinition } from '../../registry/resource-definition.ts';
import { listedVerbs } from './resource-list.ts';
import { isCustom } from './served-catalog.ts';
import { byText, type ServedGroup } from './served-groups.ts';

export const aggregatedTarget = { group: 'apidiscovery.k8s.io', version: 'v2', kind: 'APIGroupDiscoveryList' } as const;

/** Describes all given groups in one document, which saves clients a request per group and version. */
export function aggregatedList(groups: readonly ServedGroup[]): object {
  return {
    kind: aggregatedTarget.kind,
    apiVersion: `${aggregatedTarget.group}/${aggregatedTarget.version}`,
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map(({ version, definitions, remote }) => ({
        version,
        resources: remote?.resources ?? definitions.map(resourceEntry),
        freshness: remote === undefined || remote.isCurrent ? 'Current' : 'Stale',
      })),
    })),
  };
}

function resourceEntry(definition: ResourceDefinition): object {
  const { resource, kind, namespaced, singular, shortNames, categories, subresources } = definition;
  const own = ownGroupVersion(definition);
  // Custom types list status before scale, all others by name.
  const order = isCustom(definition) ? -1 : 1;
  const sorted = [...subresources].sort((a, b) => order * byText(a.name, b.name));
  return {
    resource,
    responseKind: { ...own, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: listedVerbs(definition),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(sorted.length > 0 && { subresources: sorted.map((subresource) => subresourceEntry(subresource, own)) }),
  };
}

function subresourceEntry({ name, verbs, kind, groupVersion }: SubresourceDefinition, own: GroupVersion): object {
  const { group, version } = groupVersion ?? own;
  return { subresource: name, responseKind: { group, version, kind }, verbs };
}

/** Built-in types omit group and version where they equal those of the enclosing document. Custom types do not. */
function ownGroupVersion(definition: ResourceDefinition): GroupVersion {
  const { group, version } = definition;
  return isCustom(definition) ? { group, version } : { group: '', version: '' };
}
