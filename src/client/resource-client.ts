import { decodeJson, encodeJson } from '../codec/json/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import { ApiError } from './api-error.ts';
import type { ApiRequest, ApiResponse, Fetch } from './fetch.ts';
import { jsonLines } from './json-lines.ts';

export interface ResourceReference {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural, as in paths. */
  readonly resource: string;
}

export interface ObjectList<T> {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: T[];
}

export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T;
}

/** Query parameters by their API names; undefined ones are left out. */
export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** The verbs of one resource type, in one namespace or, without a namespace, at the cluster scope. */
export class ResourceClient<T extends ResourceObject = ResourceObject> {
  readonly #fetch: Fetch;
  readonly #collection: string;

  constructor(fetch: Fetch, { group, version, resource }: ResourceReference, namespace = '') {
    this.#fetch = fetch;
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const scope = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
    this.#collection = `${root}${scope}/${resource}`;
  }

  get(name: string, parameters?: Parameters): Promise<T> {
    return this.#json({ method: 'GET', path: this.#item(name, parameters) });
  }

  list(parameters?: Parameters): Promise<ObjectList<T>> {
    return this.#json({ method: 'GET', path: this.#collection + query(parameters) });
  }

  create(object: T, parameters?: Parameters): Promise<T> {
    return this.#json({ method: 'POST', path: this.#collection + query(parameters), ...jsonBody(object) });
  }

  /** Replaces the object of this name. `subresource` writes through another door, such as `status`. */
  update(object: T, { subresource = '', ...parameters }: Parameters & { subresource?: string } = {}): Promise<T> {
    const path = this.#item(object.metadata.name ?? '', parameters, subresource);
    return this.#json({ method: 'PUT', path, ...jsonBody(object) });
  }

  /** A JSON merge patch. */
  patch(
    name: string,
    patch: object,
    { subresource = '', ...parameters }: Parameters & { subresource?: string } = {},
  ): Promise<T> {
    const path = this.#item(name, parameters, subresource);
    return this.#json({ method: 'PATCH', path, ...jsonBody(patch, 'application/merge-patch+json') });
  }

  /** Resolves with the last state of the object or a Status, as the type has it. */
  delete(name: string, parameters?: Parameters): Promise<unknown> {
    return this.#json({ method: 'DELETE', path: this.#item(name, parameters) });
  }

  /** The changes after `resourceVersion`, or the present state and then the changes, until the signal aborts or the server ends it. */
  async *watch(parameters: Parameters, signal: AbortSignal): AsyncGenerator<WatchEvent<T>> {
    const path = this.#collection + query({ ...parameters, watch: true });
    const response = await this.#fetch({ method: 'GET', path, signal });
    if (response.status !== 200) throw new ApiError(response.status, await text(response));
    for await (const line of jsonLines(response.body)) yield line as WatchEvent<T>;
  }

  async #json<R>(request: ApiRequest): Promise<R> {
    const response = await this.#fetch(request);
    const body = await text(response);
    if (response.status >= 300) throw new ApiError(response.status, body);
    return decodeJson(Buffer.from(body)).value as R;
  }

  #item(name: string, parameters?: Parameters, subresource = ''): string {
    const tail = subresource === '' ? '' : `/${subresource}`;
    return `${this.#collection}/${encodeURIComponent(name)}${tail}${query(parameters)}`;
  }
}

function jsonBody(value: object, type = 'application/json') {
  return { body: encodeJson(value), headers: { 'content-type': type } };
}

function query(parameters: Parameters = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given}`;
}

async function text({ body }: ApiResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
