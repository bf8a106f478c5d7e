import type { Worker } from 'node:worker_threads';
import type { Server, ServerOptions } from '../../src/index.ts';
import { openStorage, type StartInternals, startServerOn } from '../../src/server/index.ts';
import { threadsReady } from '../shared-store/start-tested-server.ts';
import { TestApi } from '../wire/api.ts';

export interface LoggedError {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A server of several threads in this process. */
export class ThreadedServer {
  readonly server: Server;
  readonly threads: number;
  /** The errors that the server has logged. */
  readonly errors: LoggedError[];
  /** The running threads, by name. */
  readonly workers: ReadonlyMap<string, Worker>;
  /** The names of those that are ready. */
  readonly ready: ReadonlySet<string>;

  readonly #clients: TestApi[] = [];
  readonly #forget: () => void;

  private constructor(
    fields: Pick<ThreadedServer, 'server' | 'threads' | 'errors' | 'workers' | 'ready'>,
    forget: () => void,
  ) {
    this.#forget = forget;
    this.server = fields.server;
    this.threads = fields.threads;
    this.errors = fields.errors;
    this.workers = fields.workers;
    this.ready = fields.ready;
  }

  static async start(
    { threads = 3, ...options }: ServerOptions & { readonly threads?: number } = {},
    internals: StartInternals = {},
  ): Promise<ThreadedServer> {
    const errors: LoggedError[] = [];
    const workers = new Map<string, Worker>();
    const ready = new Set<string>();
    const remember = (worker: Worker): void => {
      const name = worker.threadName ?? '';
      workers.set(name, worker);
      worker.on('message', ({ name: call }: { readonly name?: string }) => {
        if (call === 'ready') ready.add(name);
      });
      worker.once('exit', () => {
        if (workers.get(name) === worker) workers.delete(name);
        ready.delete(name);
      });
    };
    process.on('worker', remember);
    const given: ServerOptions = {
      storage: 'memory',
      controllers: [],
      disableAdmissionPlugins: ['ServiceAccount'],
      threads,
      ...options,
      log: {
        info: () => {},
        error: (message, fields = {}) => errors.push({ message, fields: fields as LoggedError['fields'] }),
        flush: () => Promise.resolve(),
      },
    };
    const server = await startServerOn(openStorage, given, internals);
    await threadsReady(server, threads);
    return new ThreadedServer({ server, threads, errors, workers, ready }, () => process.off('worker', remember));
  }

  async stop(): Promise<void> {
    this.#forget();
    for (const client of this.#clients) client.disconnect();
    await this.server.stop();
  }

  /** Returns clients with one connection each, so that they probably reach all threads. */
  clients(count: number): TestApi[] {
    const clients = Array.from({ length: count }, () => new TestApi(this.server));
    this.#clients.push(...clients);
    return clients;
  }
}

/** Returns the status that each client gets. */
export function statusesOf(
  clients: readonly TestApi[],
  call: (client: TestApi, index: number) => Promise<{ readonly status: number }>,
): Promise<number[]> {
  return Promise.all(clients.map(async (client, index) => (await call(client, index)).status));
}
