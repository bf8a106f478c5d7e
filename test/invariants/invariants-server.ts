import { collectionPath } from '../../src/client/resource-client.ts';
import { type Server, startServer } from '../../src/index.ts';
import { builtInResources, optionalResources } from '../../src/resources/index.ts';
import type { Json } from './json.ts';

export interface TestResponse {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every kind
  readonly body: any;
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  /** Texts are sent unchanged. */
  readonly body?: Json | string | undefined;
  readonly type?: string;
  readonly manager?: string;
}

/** A server to which only the test writes. Requests run through the whole pipeline without a socket. */
export class InvariantsServer {
  readonly #server: Server;
  /** Errors that the server has logged as its own faults. */
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
      // Priority and fairness would write the status of flow schemas.
      enablePriorityAndFairness: false,
      storage: 'memory',
      controllers: [],
      runtimeConfig: 'api/all=true',
      // These plugins would need other objects. The test is only about the types.
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

  async call(sent: Sent): Promise<TestResponse> {
    const { status, text } = await this.#send(sent);
    return { status, text, body: JSON.parse(text) };
  }

  async #send({ method, path, body, type = 'application/json', manager = 'tester' }: Sent) {
    const response = await this.#server.client.fetch({
      method,
      path,
      headers: { 'user-agent': manager, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    return { status: response.status, text: Buffer.concat(chunks).toString() };
  }

  /** The version of the whole store, which grows with every write. */
  async revision(): Promise<string> {
    const { body } = await this.call({ method: 'GET', path: '/api/v1/namespaces/corpus/configmaps?limit=1' });
    return body.metadata.resourceVersion;
  }

  /** Returns the writes after a version, such as `DELETED /api/v1/pods a`. Takes a second. */
  async changesSince(revision: string): Promise<string[]> {
    const query = `watch=true&resourceVersion=${revision}&timeoutSeconds=1`;
    const changes = storedCollections.map(async (path) => {
      const { text } = await this.#send({ method: 'GET', path: `${path}?${query}` });
      const events = text.split('\n').filter((line) => line !== '');
      return events.map((line) => {
        const { type, object } = JSON.parse(line);
        return `${type} ${path} ${object.metadata.name}`;
      });
    });
    return (await Promise.all(changes)).flat();
  }
}

/** The collections of all stored types, each in one version. */
const storedCollections = [
  ...new Map(
    [...optionalResources, ...builtInResources]
      .filter(({ storage, verbs }) => storage !== undefined && verbs.includes('watch'))
      .map((definition) => [definition.storage!.keyPrefix, collectionPath(definition)]),
  ).values(),
];
