import { onTestFinished } from 'vitest';
import type { ServerOptions } from '../../src/index.ts';
import { ServeProcess } from '../process/serve-process.ts';
import { type StartServer, TestApi } from '../wire/api.ts';

/** The interruptions that clients must expect. */
export interface Availability {
  /** Whether connections may fail although the server has no fault. */
  readonly mayRestart: boolean;
  /** Whether versions may expire. If not, a 410 is a fault. */
  readonly versionsExpire: boolean;
  /** Resolves when the server is running. */
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

/** A server process that can be killed and restarted with the same data and address. */
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

  /** The number of starts. */
  get starts(): number {
    return this.#starts;
  }

  async available(): Promise<void> {
    await this.#available;
  }

  /** Stops the process without ending it. Connections stay open, but there are no responses. */
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
