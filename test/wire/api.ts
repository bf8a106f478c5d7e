import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Server, ServerOptions } from '../../src/index.ts';

/** A response from the server. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The parsed body. Undefined when it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

export interface Call {
  /** Buffers and strings are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** False to send no client certificate of the administrator. */
  readonly credentials?: boolean;
}

/** The properties of a server that are needed for requests. The server may run in another process. */
export type Reachable = Pick<Server, 'url' | 'kubeconfig' | 'stop'>;

export type StartServer = (options: ServerOptions) => Promise<Server>;

/** A server and a real HTTPS client for it. */
export class TestApi {
  readonly server: Reachable;
  readonly #admin: TlsMaterial;
  readonly #agent: Agent;
  readonly #anonymous: Agent;
  #directory: string | undefined;

  constructor(server: Reachable) {
    this.server = server;
    this.#admin = tlsMaterial(server.kubeconfig);
    // A connection stays with its thread. With several threads, each request uses a new connection, so that it may
    // reach any thread.
    const keepAlive = process.env.TEST_THREADS === undefined;
    this.#agent = new Agent({ ...this.#admin, keepAlive });
    this.#anonymous = new Agent({ ca: this.#admin.ca, keepAlive });
  }

  /** Starts a server in this process. Its directory is removed when it stops, unless one was given. */
  static async start(given: ServerOptions = {}, start?: StartServer): Promise<TestApi> {
    // By default, nothing writes in the background, because tests count objects and versions. Even a single controller
    // has a lease, which is written every ten seconds. Without controllers, namespaces have no service account for
    // pods.
    const options = { controllers: [], disableAdmissionPlugins: ['ServiceAccount'], ...given };
    // The module is loaded on demand, because some programs of the tests only need the client.
    const startServer = start ?? (await import('../shared-store/start-tested-server.ts')).startTestedServer;
    const { storage = 'memory' } = options;
    if (storage === 'memory' || options.dataDir !== undefined) {
      return new TestApi(await startServer({ ...options, storage }));
    }
    const dataDir = await mkdtemp(join(tmpdir(), 'keelson-wire-'));
    try {
      const api = new TestApi(await startServer({ ...options, dataDir }));
      api.#directory = dataDir;
      return api;
    } catch (error) {
      await rm(dataDir, { recursive: true, force: true });
      throw error;
    }
  }

  /** Closes the client's connections. */
  disconnect(): void {
    this.#agent.destroy();
    this.#anonymous.destroy();
  }

  async stop(): Promise<void> {
    this.disconnect();
    await this.server.stop();
    if (this.#directory !== undefined) await rm(this.#directory, { recursive: true, force: true });
  }

  /** Certificate, key and CA for other clients. */
  get tls(): TlsMaterial {
    return this.#admin;
  }

  call(method: string, path: string, { body, headers, credentials = true }: Call = {}): Promise<ApiResponse> {
    const data = body === undefined ? undefined : bytesOf(body);
    return new Promise((resolve, reject) => {
      const sent = request(
        this.server.url,
        {
          method,
          // The path is sent unchanged. A URL object would normalize it.
          path,
          agent: credentials ? this.#agent : this.#anonymous,
          // Tests may send any host, but the certificate is not valid for it.
          ...(headers?.host !== undefined && { servername: 'localhost' }),
          headers: { ...(data && { 'content-type': 'application/json', 'content-length': data.length }), ...headers },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            resolve({ status: response.statusCode!, headers: response.headers, text, body: parsed(text) });
          });
        },
      );
      sent.on('error', reject);
      sent.end(data);
    });
  }

  get(path: string, call?: Call): Promise<ApiResponse> {
    return this.call('GET', path, call);
  }

  post(path: string, body: unknown, call: Call = {}): Promise<ApiResponse> {
    return this.call('POST', path, { ...call, body });
  }

  /** Creates an object. The request is repeated if it times out. */
  async store(path: string, body: unknown): Promise<void> {
    for (let attempt = 0; attempt < 20; attempt++) {
      const { status } = await this.post(path, body);
      if (status === 200 || (status === 409 && attempt > 0)) return;
      if (status !== 504) throw new Error(`POST ${path}: ${status}`);
    }
    throw new Error(`POST ${path} takes too long`);
  }

  put(path: string, body: unknown, call: Call = {}): Promise<ApiResponse> {
    return this.call('PUT', path, { ...call, body });
  }

  patch(path: string, body: unknown, type = 'merge'): Promise<ApiResponse> {
    const suffix = type === 'strategic' ? 'strategic-merge-patch' : `${type}-patch`;
    return this.call('PATCH', path, { body, headers: { 'content-type': `application/${suffix}+json` } });
  }

  delete(path: string, call?: Call): Promise<ApiResponse> {
    return this.call('DELETE', path, call);
  }

  /** Creates a namespace with config maps, given by name and labels. Returns the path of the collection. */
  async configMaps(namespace: string, items: Record<string, Record<string, string>> = {}): Promise<string> {
    await this.post('/api/v1/namespaces', { metadata: { name: namespace } });
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    for (const [name, labels] of Object.entries(items)) await this.post(path, { metadata: { name, labels } });
    return path;
  }

  /** Opens a watch. `next` waits for the next event, `ended` resolves when the server ends the stream. */
  watch(path: string, headers: Call['headers'] = {}): Promise<TestWatch> {
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, this.server.url), { agent: this.#agent, headers }, (response) =>
        resolve(new TestWatch(response, () => sent.destroy())),
      );
      sent.on('error', reject);
      sent.end();
    });
  }
}

export interface Event {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into objects of every kind
  readonly object: any;
}

export class TestWatch {
  readonly status: number;
  readonly headers: ApiResponse['headers'];
  readonly ended: Promise<void>;
  readonly close: () => void;
  /** Whether the server has ended the stream. False while it is open or when the connection broke. */
  endedCleanly = false;
  readonly #events: Event[] = [];
  #wake: (() => void) | undefined;
  #done = false;

  constructor(response: import('node:http').IncomingMessage, close: () => void) {
    this.status = response.statusCode!;
    this.headers = response.headers;
    this.close = close;
    let rest = '';
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      // An error is no event, and may be YAML.
      if (this.status === 200) this.#events.push(...lines.map((line) => JSON.parse(line) as Event));
      this.#wake?.();
    });
    this.ended = new Promise((resolve) => {
      const end = (): void => {
        this.#done = true;
        this.#wake?.();
        resolve();
      };
      response.on('end', () => {
        this.endedCleanly = true;
        end();
      });
      response.on('error', end);
    });
  }

  /** Returns the next event, or undefined when the stream has ended. */
  async next(): Promise<Event | undefined> {
    while (this.#events.length === 0) {
      if (this.#done) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#events.shift();
  }

  /** Returns this many events as `TYPE name`. */
  async take(count: number): Promise<string[]> {
    const taken: string[] = [];
    while (taken.length < count) {
      const event = await this.next();
      taken.push(event === undefined ? 'END' : `${event.type} ${event.object.metadata.name ?? ''}`.trim());
    }
    return taken;
  }
}

function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface TlsMaterial {
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}

function tlsMaterial(kubeconfig: string): TlsMaterial {
  const decoded = (name: string): Buffer => {
    const match = new RegExp(`${name}: "?([A-Za-z0-9+/=]+)`).exec(kubeconfig);
    return Buffer.from(match![1]!, 'base64');
  };
  return {
    ca: decoded('certificate-authority-data'),
    cert: decoded('client-certificate-data'),
    key: decoded('client-key-data'),
  };
}
