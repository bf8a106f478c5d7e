import { requestJson } from './request.ts';
import type { ResourceType } from './resource-type.ts';

interface DiscoveredVersion {
  readonly version: string;
  readonly resources?: readonly DiscoveredResource[];
}

interface DiscoveredResource {
  readonly resource: string;
  readonly responseKind?: { readonly kind: string };
  readonly scope: 'Cluster' | 'Namespaced';
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

interface DiscoveryList {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly DiscoveredVersion[];
  }[];
}

const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** All types in all versions. The preferred version of a group comes first. */
export async function discover(signal?: AbortSignal): Promise<ResourceType[]> {
  const lists = await Promise.all(
    ['/api', '/apis'].map((path) => requestJson<DiscoveryList>(path, { accept, signal })),
  );
  return lists.flatMap(typesOf);
}

export function typesOf({ items }: DiscoveryList): ResourceType[] {
  return items.flatMap(({ metadata, versions }) =>
    versions.flatMap(({ version, resources = [] }) =>
      resources.map((found) => ({
        group: metadata.name ?? '',
        version,
        resource: found.resource,
        kind: found.responseKind?.kind ?? found.resource,
        namespaced: found.scope === 'Namespaced',
        verbs: found.verbs,
        shortNames: found.shortNames ?? [],
        categories: found.categories ?? [],
        subresources: (found.subresources ?? []).map(({ subresource }) => subresource),
      })),
    ),
  );
}
