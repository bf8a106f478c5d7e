import { decodeJson, encodeJson } from '../codec/json/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import { ApiError } from './api-error.ts';
import type { ApiRequest, Fetch } from './fetch.ts';
import { readText } from './read-text.ts';

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

export interface WatchOptions {
  /** Objects may lack managed fields and may be shared, so the caller must not modify them. */
  readonly shared?: boolean;
}

/** Query parameters by their API names. Undefined ones are omitted. */
export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;
/** `subresource` addresses a subresource of the object, such as `status` or `scale`. */
type ItemParameters = Parameters & { readonly subresource?: string };

const patchMediaTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** `apply` requires the parameter `fieldManager`. */
export type PatchType = keyof typeof patchMediaTypes;
type PatchParameters = ItemParameters & { readonly type?: PatchType };

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly 'All'[];
}

const acceptAs = (kind: string) => ({ accept: `application/json;as=${kind};g=meta.k8s.io;v=v1` });
const metadataOnly = { one: acceptAs('PartialObjectMetadata'), list: acceptAs('PartialObjectMetadataList') };
/** Accept headers of requests for one object (and watch events) and for a list. */
type AcceptHeaders = Partial<typeof metadataOnly>;

/** The verbs of one resource type, in one namespace or, without a namespace, at cluster scope. */
export class ResourceClient<T extends ResourceObject = ResourceObject> {
  readonly #fetch: Fetch;
  readonly #collection: string;
  readonly #acceptHeaders: AcceptHeaders;

  constructor(fetch: Fetch, collection: string, acceptHeaders: AcceptHeaders = {}) {
    this.#fetch = fetch;
    this.#collection = collection;
    this.#acceptHeaders = acceptHeaders;
  }

  /** Returns a client for the same resource that reads only the metadata of objects. */
  metadataOnly(): ResourceClient {
    return new ResourceClient(this.#fetch, this.#collection, metadataOnly);
  }

  get(name: string, { subresource, ...parameters }: ItemParameters = {}): Promise<T> {
    return this.#json({
      method: 'GET',
      path: this.#item(name, parameters, subresource),
      ...accept(this.#acceptHeaders.one),
    });
  }

  list(parameters?: Parameters, signal?: AbortSignal): Promise<ObjectList<T>> {
    const path = this.#collection + query(parameters);
    return this.#json({ method: 'GET', path, ...accept(this.#acceptHeaders.list), ...(signal && { signal }) });
  }

  create(object: T, parameters?: Parameters): Promise<T> {
    return this.#json({ method: 'POST', path: this.#collection + query(parameters), ...jsonBody(object) });
  }

  /** Creates a subresource of the named object, such as an `eviction` or a `token`. */
  createSubresource<R = unknown>(name: string, subresource: string, body: object): Promise<R> {
    return this.#json({ method: 'POST', path: this.#item(name, {}, subresource), ...jsonBody(body) });
  }

  /** Replaces the object of this name. */
  update(object: T, { subresource, ...parameters }: ItemParameters = {}): Promise<T> {
    const path = this.#item(object.metadata.name ?? '', parameters, subresource);
    return this.#json({ method: 'PUT', path, ...jsonBody(object) });
  }

  /** Sends a JSON merge patch, unless `type` is given. */
  patch(name: string, patch: object, options: PatchParameters = {}): Promise<T> {
    return this.#json(this.#patch(name, patch, options));
  }

  /** Like `patch`, for callers that do not use the result: decoding a large object takes longer than patching it. */
  async patchOnly(name: string, patch: object, options: PatchParameters = {}): Promise<void> {
    const response = await this.#fetch(this.#patch(name, patch, options));
    if (response.status >= 300) throw new ApiError(response.status, await readText(response));
    for await (const _ of response.body);
  }

  /**
   * Resolves with the last state of the object or a Status, depending on the type. Each option may be a parameter or in
   * `options`, but not both. Preconditions must be in `options`.
   */
  delete(name: string, parameters?: Parameters, options?: DeleteOptions): Promise<unknown> {
    return this.#json({ method: 'DELETE', path: this.#item(name, parameters), ...deleteBody(options) });
  }

  /** Resolves with the deleted objects. The parameters select them. */
  deleteCollection(parameters?: Parameters, options?: DeleteOptions): Promise<ObjectList<T>> {
    const { headers, ...body } = deleteBody(options);
    const path = this.#collection + query(parameters);
    return this.#json({ method: 'DELETE', path, ...body, headers: { ...headers, ...this.#acceptHeaders.list } });
  }

  /**
   * Yields the changes after `resourceVersion`, or the current state followed by changes, until the signal aborts or
   * the server ends the watch.
   */
  async *watch(
    parameters: Parameters,
    signal: AbortSignal,
    { shared = false }: WatchOptions = {},
  ): AsyncGenerator<WatchEvent<T>> {
    const path = this.#collection + query({ ...parameters, watch: true });
    const request = {
      method: 'GET',
      path,
      ...accept(this.#acceptHeaders.one),
      signal,
      ...(shared && { takesEvents: true }),
    };
    const response = await this.#fetch(request);
    if (response.status !== 200) throw new ApiError(response.status, await readText(response));
    if (response.events !== undefined) {
      const representation = this.#acceptHeaders.one === undefined ? 'whole' : 'metadata';
      for await (const events of response.events) {
        for (const event of events) yield { type: event.type, object: event.object(representation) as T };
      }
      return;
    }
    for await (const line of jsonLines(response.body)) yield line as WatchEvent<T>;
  }

  #patch(name: string, patch: object, { type = 'merge', subresource, ...parameters }: PatchParameters): ApiRequest {
    const path = this.#item(name, parameters, subresource);
    return { method: 'PATCH', path, ...jsonBody(patch, patchMediaTypes[type]) };
  }

  async #json<R>(request: ApiRequest): Promise<R> {
    return decodeJson(Buffer.from(await this.#text(request))).value as R;
  }

  async #text(request: ApiRequest): Promise<string> {
    const response = await this.#fetch(request);
    const body = await readText(response);
    if (response.status >= 300) throw new ApiError(response.status, body);
    return body;
  }

  #item(name: string, parameters?: Parameters, subresource = ''): string {
    const tail = subresource === '' ? '' : `/${subresource}`;
    return `${this.#collection}/${encodeURIComponent(name)}${tail}${query(parameters)}`;
  }
}

/** The path of the collection of a type, in all namespaces or in one. */
export function collectionPath({ group, version, resource }: ResourceReference, namespace = ''): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${scope}/${resource}`;
}

function accept(headers: ApiRequest['headers'] | undefined) {
  return headers === undefined ? {} : { headers };
}

function jsonBody(value: object, type = 'application/json') {
  return { body: encodeJson(value), headers: { 'content-type': type } };
}

function deleteBody(options: DeleteOptions | undefined): Pick<ApiRequest, 'body' | 'headers'> {
  return options === undefined ? {} : jsonBody({ kind: 'DeleteOptions', apiVersion: 'v1', ...options });
}

function query(parameters: Parameters = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given}`;
}

/** Parses a stream of JSON documents, one per line. An incomplete last line is ignored. */
export async function* jsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line !== '') yield decodeJson(Buffer.from(line)).value;
  }
}
