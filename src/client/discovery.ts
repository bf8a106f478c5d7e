import { ApiError } from './api-error.ts';
import type { Client } from './client.ts';
import { readText } from './read-text.ts';
import type { ResourceReference } from './resource-client.ts';

/** One resource type as described by the server. */
export interface DiscoveredResource extends ResourceReference {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
}

export interface Discovered {
  /** Each type once, in the version that the server prefers. */
  readonly resources: readonly DiscoveredResource[];
  /** Group versions whose resources the server cannot list at present. */
  readonly failed: readonly string[];
}

/** Reads the discovery document of a server. */
export class Discovery {
  readonly #client: Client;
  readonly #documents = new Map<string, { readonly etag: string | undefined; readonly list: DiscoveryList }>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Sends a conditional request each time, so that an unchanged document is not transferred again. */
  async read(): Promise<Discovered> {
    const lists = await Promise.all(['/api', '/apis'].map((path) => this.#document(path)));
    const groups = lists.flatMap(({ items }) => items);
    const failed = groups.flatMap(({ metadata, versions }) =>
      versions
        .filter(({ freshness }) => freshness === 'Stale')
        .map(({ version }) => (metadata.name ? `${metadata.name}/${version}` : version)),
    );
    return { resources: groups.flatMap(preferredResources), failed };
  }

  async #document(path: string): Promise<DiscoveryList> {
    const known = this.#documents.get(path);
    const headers = { accept, ...(known?.etag !== undefined && { 'if-none-match': known.etag }) };
    const response = await this.#client.fetch({ method: 'GET', path, headers });
    const body = await readText(response);
    if (response.status === 304 && known !== undefined) return known.list;
    if (response.status !== 200) throw new ApiError(response.status, body);
    const list = JSON.parse(body) as DiscoveryList;
    this.#documents.set(path, { etag: response.headers.etag, list });
    return list;
  }
}

const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

interface DiscoveryList {
  readonly items: readonly DiscoveryGroup[];
}

interface DiscoveryGroup {
  readonly metadata: { readonly name?: string };
  readonly versions: readonly {
    readonly version: string;
    readonly freshness?: string;
    readonly resources?: readonly {
      readonly resource: string;
      readonly responseKind?: { readonly kind?: string };
      readonly scope: string;
      readonly verbs: readonly string[];
      readonly subresources?: readonly { readonly subresource: string }[];
    }[];
  }[];
}

/** Versions are in order of preference, and all versions of a type contain the same objects. */
function preferredResources({ metadata, versions }: DiscoveryGroup): DiscoveredResource[] {
  const found = new Map<string, DiscoveredResource>();
  for (const { version, resources = [] } of versions) {
    for (const { resource, responseKind, scope, verbs, subresources = [] } of resources) {
      if (found.has(resource)) continue;
      found.set(resource, {
        group: metadata.name ?? '',
        version,
        resource,
        kind: responseKind?.kind ?? '',
        namespaced: scope === 'Namespaced',
        verbs,
        subresources: subresources.map(({ subresource }) => subresource),
      });
    }
  }
  return [...found.values()];
}
