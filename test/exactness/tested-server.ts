import { onTestFinished } from 'vitest';
import type { ServerOptions } from '../../src/index.ts';
import { ServeProcess } from '../process/serve-process.ts';
import { type StartServer, TestApi } from '../wire/api.ts';

/** What clients have to put up with. */
export interface Availability {
  /** Whether connections may fail without a fault of the server. */
  readonly mayRestart: boolean;
  /** Whether versions may expire: otherwise a 410 is a fault. */
  readonly versionsExpire: boolean;
  /** Resolves while the server runs. */
  available(): Promise<void>;
}

/** The server under test. */
export interface TestedServer extends Availability {
  readonly api: TestApi;
}

export async function startTestedServer(
  options: ServerOptions,
  { expires = false, start }: { expires?: boolean; start?: StartServer } = {},
): Promise<TestedServer> {
  const api = await TestApi.start(options, start);
  onTestFinished(() => api.stop());
  return { api, mayRestart: false, versionsExpire: expires, available: async () => {} };
}

/** A server in a process of its own, which can be killed and comes back with its data at the same address. */
export class KillableServer implements TestedServer {
  readonly api: TestApi;
  readonly mayRestart = true;
  readonly versionsExpire = false;
  readonly #start: () => ServeProcess;
  #process: ServeProcess;
  #available: Promise<unknown> = Promise.resolve();
  #starts = 1;

  private constructor(api: TestApi, { process, start }: { process: ServeProcess; start: () => ServeProcess }) {
    this.api = api;
    this.#process = process;
    this.#start = start;
  }

  static async start(dataDir: string, ...flags: string[]): Promise<KillableServer> {
    const serve = (port: string): ServeProcess =>
      new ServeProcess([
        'serve',
        '--bind-address=127.0.0.1',
        `--secure-port=${port}`,
        '--output=json',
        `--data-dir=${dataDir}`,
        ...flags,
      ]);
    const process = serve('0');
    const api = await process.api();
    const { port } = new URL(api.server.url);
    return new KillableServer(api, { process, start: () => serve(port) });
  }

  /** How often it has been started. */
  get starts(): number {
    return this.#starts;
  }

  async available(): Promise<void> {
    await this.#available;
  }

  /** It stays as it is, and its connections open, but nobody gets a response. */
  pause(): void {
    this.#process.kill('SIGSTOP');
  }

  resume(): void {
    this.#process.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    this.#available = this.#restart();
    await this.#available;
  }

  async #restart(): Promise<void> {
    this.#starts++;
    this.#process.kill('SIGKILL');
    await this.#process.exited;
    this.#process = this.#start();
    await this.#process.ready();
  }
}
