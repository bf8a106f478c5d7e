import type { ResourceDefinition, SubresourceDefinition } from '../../registry/resource-definition.ts';
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
      versions: versions.map(({ version, definitions }) => ({
        version,
        resources: definitions.map(resourceEntry),
        freshness: 'Current',
      })),
    })),
  };
}

function resourceEntry(definition: ResourceDefinition): object {
  const { resource, kind, namespaced, singular, verbs, shortNames, categories, subresources } = definition;
  const parts = [...subresources].sort((a, b) => byText(a.name, b.name));
  return {
    resource,
    responseKind: responseKind({ kind }),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(parts.length > 0 && { subresources: parts.map(subresourceEntry) }),
  };
}

function subresourceEntry({ name, verbs, ...rest }: SubresourceDefinition): object {
  return { subresource: name, responseKind: responseKind(rest), verbs };
}

/** Group and version are empty where they equal those of the enclosing document. */
function responseKind({ kind, groupVersion }: Pick<SubresourceDefinition, 'kind' | 'groupVersion'>): object {
  return { group: groupVersion?.group ?? '', version: groupVersion?.version ?? '', kind };
}
