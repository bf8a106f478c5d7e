import {
  type Connection,
  type Endpoint,
  http1Connection,
  http2Connection,
  type Sent,
  textOf,
} from '../exactness/connection.ts';
import { isUnavailable, Violation } from '../exactness/violation.ts';
import type { CachedRead } from './cached-read.ts';
import { type InitialState, readInitialState } from './initial-state.ts';
import type { ObjectContent, ObjectInput, ObjectOperation, ObjectOutput } from './object-model.ts';
import type { ServersUnderTest } from './servers-under-test.ts';

/** Only objects with this prefix are checked, because the server may have others. */
export const namePrefix = 'object-';

const usualPatienceMs = 15_000;

/** All operations and cached reads of the clients. */
export interface Records {
  readonly operations: ObjectOperation[];
  readonly cachedReads: CachedRead[];
}

export interface ObjectClientOptions {
  readonly name: string;
  readonly subject: ServersUnderTest;
  readonly records: Records;
  readonly random: (limit: number) => number;
}

interface ClientResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: objects, lists and statuses
  readonly body: any;
}

/** It is unknown whether the request was executed. */
class NoResponse extends Error {}
/** The request was certainly not executed. */
class NotDone extends Error {}

/** Sends requests to random servers and records inputs and outputs. */
export class ObjectClient {
  readonly #options: ObjectClientOptions;
  readonly #connections: readonly Connection[];

  constructor(options: ObjectClientOptions) {
    this.#options = options;
    const { subject, random } = options;
    const connect = (endpoint: Endpoint) => (random(3) === 0 ? http2Connection(endpoint) : http1Connection(endpoint));
    this.#connections = subject.endpoints.map(connect);
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  /** Sends a request. Returns its output, or undefined without a response. */
  async perform(input: ObjectInput, server?: number): Promise<ObjectOutput | undefined> {
    const { name: client, records, random, subject } = this.#options;
    const connection = this.#connections[server ?? random(this.#connections.length)]!;
    const invoked = performance.now();
    try {
      const { output, returned = performance.now() } = await this.#perform(connection, input);
      records.operations.push({ client, input, output, invoked, returned });
      return output;
    } catch (error) {
      if (!(error instanceof NoResponse || error instanceof NotDone)) throw error;
      if (!subject.mayRestart) throw new Violation(`${client}: ${error.message}`, { cause: error });
      const isLost = error instanceof NoResponse && input.verb !== 'get' && input.verb !== 'list';
      if (isLost) {
        records.operations.push({ client, input, output: undefined, invoked, returned: Number.POSITIVE_INFINITY });
      }
      await subject.available();
      return undefined;
    }
  }

  /** Reads from the cache of a server. The result must not be older than a version (0 for any age). */
  async readCached(namespace: string, name: string | undefined, atLeast: number): Promise<void> {
    const { name: client, records, random, subject } = this.#options;
    const server = random(this.#connections.length);
    const source = (): string => `server ${server}, start ${subject.starts(server)}`;
    const before = source();
    const invoked = performance.now();
    const match = name === undefined && atLeast > 0 ? '&resourceVersionMatch=NotOlderThan' : '';
    const path = `${pathOf(namespace, name)}?resourceVersion=${atLeast}${match}`;
    try {
      const output = outputOf(await this.#send(this.#connections[server]!, path, { method: 'GET' }), path);
      if (source() !== before) return;
      const returned = performance.now();
      records.cachedReads.push({ client, source: before, namespace, name, atLeast, output, invoked, returned });
    } catch (error) {
      if (!(error instanceof NoResponse || error instanceof NotDone)) throw error;
      if (!subject.mayRestart) throw new Violation(`${client}: ${error.message}`, { cause: error });
      await subject.available();
    }
  }

  async #perform(connection: Connection, input: ObjectInput): Promise<{ output: ObjectOutput; returned?: number }> {
    if (input.verb === 'list') {
      const way = this.#options.random(4);
      if (way === 0) return { output: await this.#initialState(connection, input.namespace) };
      if (way === 1) return this.#pages(connection, input.namespace);
    }
    const { path, sent } = requestOf(input);
    return { output: outputOf(await this.#send(connection, path, sent), `${sent.method} ${path}`) };
  }

  /** A list in chunks shows the state of its first chunk, no matter how late the other chunks are read. */
  async #pages(connection: Connection, namespace: string): Promise<{ output: ObjectOutput; returned: number }> {
    const items = new Map<string, ObjectContent>();
    const limit = 1 + this.#options.random(2);
    let version = 0;
    let returned: number | undefined;
    let token = '';
    do {
      const path = `${pathOf(namespace)}?limit=${limit}&continue=${encodeURIComponent(token)}`;
      const response = await this.#send(connection, path, { method: 'GET' });
      const output = outputOf(response, path);
      if (output.kind !== 'list') throw new Violation(`a chunk of a list is ${output.kind}`);
      returned ??= performance.now();
      if (version !== 0 && output.version !== version) {
        throw new Violation(`a list in chunks went from ${version} to ${output.version}`);
      }
      version = output.version;
      for (const [name, content] of output.items) items.set(name, content);
      token = response.body.metadata.continue ?? '';
    } while (token !== '');
    return { output: { kind: 'list', version, items }, returned };
  }

  async #initialState(connection: Connection, namespace: string): Promise<ObjectOutput> {
    let state: InitialState;
    try {
      state = await readInitialState(connection, pathOf(namespace), this.#patience());
    } catch (error) {
      if (error instanceof Violation) throw error;
      throw new NoResponse(`the initial state of a watch: ${(error as Error).message}`, { cause: error });
    }
    return { kind: 'list', version: state.version, items: contentsOf(state.items) };
  }

  #patience(): AbortSignal {
    return AbortSignal.timeout(this.#options.subject.patienceMs ?? usualPatienceMs);
  }

  async #send(connection: Connection, path: string, sent: Sent): Promise<ClientResponse> {
    let status: number;
    let text: string;
    try {
      const response = await connection.send(path, sent, this.#patience());
      status = response.status;
      text = await textOf(response);
    } catch (error) {
      const Failure = (error as { code?: string }).code === 'ECONNREFUSED' ? NotDone : NoResponse;
      throw new Failure(`${sent.method} ${path}: ${(error as Error).message}`, { cause: error });
    }
    if (status === 429) throw new NotDone(`${sent.method} ${path}: ${text}`);
    if (isUnavailable(status)) throw new NoResponse(`${sent.method} ${path} was answered with ${status}: ${text}`);
    if (!text.startsWith('{')) throw new Violation(`${sent.method} ${path} was answered with ${status}: ${text}`);
    return { status, body: JSON.parse(text) };
  }
}

function pathOf(namespace: string, name?: string): string {
  const collection = `/api/v1/namespaces/${namespace}/configmaps`;
  return name === undefined ? collection : `${collection}/${name}`;
}

function requestOf(input: ObjectInput): { path: string; sent: Sent } {
  const { namespace, verb } = input;
  if (verb === 'list') return { path: pathOf(namespace), sent: { method: 'GET' } };
  const { name } = input;
  const path = pathOf(namespace, name);
  if (verb === 'get') return { path, sent: { method: 'GET' } };
  if (verb === 'delete') {
    const resourceVersion = input.version === undefined ? undefined : String(input.version);
    const preconditions = { uid: input.uid, resourceVersion };
    return { path, sent: withBody('DELETE', { kind: 'DeleteOptions', apiVersion: 'v1', preconditions }) };
  }
  const { data } = input;
  if (verb === 'create') return { path: pathOf(namespace), sent: withBody('POST', { metadata: { name }, data }) };
  const resourceVersion = input.version === undefined ? undefined : String(input.version);
  const body = { metadata: { name, resourceVersion }, data };
  if (verb === 'update') return { path, sent: withBody('PUT', body) };
  return { path, sent: { ...withBody('PATCH', body), contentType: 'application/merge-patch+json' } };
}

function withBody(method: string, body: object): Sent {
  return { method, body: JSON.stringify(body), contentType: 'application/json' };
}

function outputOf({ status, body }: ClientResponse, request: string): ObjectOutput {
  if (status === 404) return { kind: 'absent' };
  if (status === 409 && body.reason === 'AlreadyExists') return { kind: 'exists' };
  if (status === 409 && body.reason === 'Conflict') return { kind: 'conflict' };
  if (status !== 200 && status !== 201) throw new Violation(`${request} was answered with ${status}: ${body.message}`);
  if (body.kind === 'Status') return { kind: 'deleted', uid: body.details.uid };
  if (body.kind !== 'ConfigMapList') return { kind: 'object', object: contentOf(body) };
  return { kind: 'list', version: Number(body.metadata.resourceVersion), items: contentsOf(body.items) };
}

interface StoredConfigMap {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
  readonly data?: ObjectContent['data'];
}

export function contentOf({ metadata, data = {} }: StoredConfigMap): ObjectContent {
  return { uid: metadata.uid, version: Number(metadata.resourceVersion), data };
}

function contentsOf(items: readonly StoredConfigMap[]): Map<string, ObjectContent> {
  const own = items.filter(({ metadata }) => metadata.name.startsWith(namePrefix));
  return new Map(own.map((item) => [item.metadata.name, contentOf(item)]));
}
