import { type Server, startServer } from '../../src/index.ts';
import type { Json } from './json.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every kind
  readonly body: any;
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  /** Texts are sent as they are. */
  readonly body?: Json | string | undefined;
  readonly type?: string;
  readonly manager?: string;
}

/** A server on which nothing writes but the test, and requests to it that pass the whole pipeline but no socket. */
export class InvariantsServer {
  readonly #server: Server;
  /** What the server logged as its own faults. */
  readonly faults: string[];

  private constructor(server: Server, faults: string[]) {
    this.#server = server;
    this.faults = faults;
  }

  static async start(): Promise<InvariantsServer> {
    const faults: string[] = [];
    const error = (message: string, fields?: { err?: Error }): void =>
      void faults.push(`${message}: ${fields?.err?.stack ?? JSON.stringify(fields)}`);
    const server = await startServer({
      // Flow control would write the status of flow schemas.
      enablePriorityAndFairness: false,
      storage: 'memory',
      controllers: [],
      runtimeConfig: 'api/all=true',
      // Of the types only: these would need other objects.
      disableAdmissionPlugins: ['ServiceAccount', 'PodGroupProtection', 'PodGroupWorkloadExists'],
      log: { info: () => {}, error, flush: () => Promise.resolve() },
    });
    const started = new InvariantsServer(server, faults);
    await started.call({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'corpus' } } });
    return started;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  async call({ method, path, body, type = 'application/json', manager = 'tester' }: Sent): Promise<Answer> {
    const response = await this.#server.client.fetch({
      method,
      path,
      headers: { 'user-agent': manager, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    return { status: response.status, text, body: JSON.parse(text) };
  }

  /** The version of everything: it grows with every write of any object. */
  async revision(): Promise<string> {
    const { body } = await this.call({ method: 'GET', path: '/api/v1/namespaces/corpus/configmaps?limit=1' });
    return body.metadata.resourceVersion;
  }
}
