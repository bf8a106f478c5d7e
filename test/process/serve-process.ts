import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import { commandScript } from '../bundles/bundles.ts';
import { TestApi } from '../wire/api.ts';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The output of `--output=json`. */
export interface Ready {
  readonly version: string;
  readonly url: string;
  readonly kubeconfig: string;
  readonly dataDir: string;
  readonly startupMs: number;
}

export interface ProcessOptions {
  /** A command that runs the server as its arguments. */
  readonly prefix?: readonly string[];
  /** Path of the program; by default the bundled command line. */
  readonly script?: string;
}

/**
 * TEST_THREADS=2 runs servers with two threads, unless a test sets the number. Additional threads start after a server
 * is ready. Without TEST_THREADS there is one thread, because the default depends on the speed of the machine.
 */
function withThreads([command, ...flags]: readonly string[]): string[] {
  const { TEST_THREADS: threads = '1' } = process.env;
  if (command === undefined) return [];
  const isGiven = flags.some((flag) => flag.startsWith('--threads'));
  if (command !== 'serve' || isGiven) return [command, ...flags];
  return [command, `--threads=${threads}`, ...flags];
}

/** The command line in another process, which is killed at the end of the test. */
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

  /** Starts a server on a free port that prints its address as JSON. */
  static start(...args: string[]): ServeProcess {
    return new ServeProcess(['serve', '--bind-address=127.0.0.1', '--secure-port=0', '--output=json', ...args]);
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Resolves when stdout contains the text. Rejects when the process exits first. */
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

  /** Returns the line that the server prints when it is ready. */
  async ready(): Promise<Ready> {
    await this.printed('\n');
    return JSON.parse(this.stdout) as Ready;
  }

  /**
   * Returns a client with the credentials of the kubeconfig that the server has written. `seen` maps its path to the
   * path for the test.
   */
  async api(seen: (path: string) => string = (path) => path): Promise<TestApi> {
    const { url, kubeconfig } = await this.ready();
    const api = new TestApi({ url, kubeconfig: await readFile(seen(kubeconfig), 'utf8'), stop: async () => {} });
    onTestFinished(() => api.stop());
    return api;
  }
}
