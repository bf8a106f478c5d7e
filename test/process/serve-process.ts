import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import { commandScript } from '../bundles/bundles.ts';
import { TestApi } from '../wire/api.ts';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What `--output=json` tells. */
export interface Ready {
  readonly version: string;
  readonly url: string;
  readonly kubeconfig: string;
  readonly dataDir: string;
  readonly startupMs: number;
}

export interface ProcessOptions {
  /** A command that runs the one behind it. */
  readonly prefix?: readonly string[];
  /** Path of the program; by default the bundled command line. */
  readonly script?: string;
}

/**
 * TEST_THREADS=2 runs servers with so many threads, unless a test says it. Further ones start after a server is ready.
 * Otherwise there is one: by default, the speed of the machine decides how many there are.
 */
function withThreads([command, ...flags]: readonly string[]): string[] {
  const { TEST_THREADS: threads = '1' } = process.env;
  if (command === undefined) return [];
  const isGiven = flags.some((flag) => flag.startsWith('--threads'));
  if (command !== 'serve' || isGiven) return [command, ...flags];
  return [command, `--threads=${threads}`, ...flags];
}

/** The command line in a process of its own, which does not survive the test. */
export class ServeProcess {
  readonly exited: Promise<Exit>;
  stdout = '';
  stderr = '';
  readonly #child: ChildProcess;
  #onOutput: () => void = () => {};

  constructor(args: readonly string[], { prefix = [], script = commandScript }: ProcessOptions = {}) {
    const [program, ...rest] = [...prefix, process.execPath, script, ...withThreads(args)];
    this.#child = spawn(program!, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.exited = new Promise((resolve) => {
      this.#child.on('close', (code, signal) => resolve({ code, signal }));
    });
    this.#child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      this.#onOutput();
    });
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    onTestFinished(async () => {
      this.kill('SIGKILL');
      await this.exited;
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** A server on a port of its own that says in JSON where it is. */
  static start(...args: string[]): ServeProcess {
    return new ServeProcess(['serve', '--bind-address=127.0.0.1', '--secure-port=0', '--output=json', ...args]);
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Resolves when stdout holds the text; fails when the process ends before. */
  async printed(text: string): Promise<void> {
    const seen = new Promise<void>((resolve) => {
      this.#onOutput = () => {
        if (this.stdout.includes(text)) resolve();
      };
      this.#onOutput();
    });
    const ended = this.exited.then(({ code, signal }) => {
      throw new Error(`ended with ${code ?? signal} before it printed ${JSON.stringify(text)}: ${this.stderr}`);
    });
    await Promise.race([seen, ended]);
  }

  /** The line that says that the server is ready. */
  async ready(): Promise<Ready> {
    await this.printed('\n');
    return JSON.parse(this.stdout) as Ready;
  }

  /** A client with the credentials of the kubeconfig that the server has written; `seen` is where the test finds that. */
  async api(seen: (path: string) => string = (path) => path): Promise<TestApi> {
    const { url, kubeconfig } = await this.ready();
    const api = new TestApi({ url, kubeconfig: await readFile(seen(kubeconfig), 'utf8'), stop: async () => {} });
    onTestFinished(() => api.stop());
    return api;
  }
}
