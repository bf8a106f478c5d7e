import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** A kubectl that runs until it is stopped and logs its requests to stderr (`-v=6`). */
export class RunningKubectl {
  /** Resolves with the exit code. */
  readonly exit: Promise<number | null>;
  readonly lines: string[] = [];
  readonly #log: string[] = [];
  #wake: () => void = () => {};
  #done = false;

  /** The process is killed at the end of the test if it still runs. */
  constructor(kubectl: string, args: string, environment: NodeJS.ProcessEnv) {
    const child = spawn(kubectl, ['-v=6', ...args.split(' ')], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill());
    const appendTo = (list: string[]) => (line: string) => {
      list.push(line);
      this.#wake();
    };
    createInterface({ input: child.stdout }).on('line', appendTo(this.lines));
    createInterface({ input: child.stderr }).on('line', appendTo(this.#log));
    this.exit = new Promise((resolve) => {
      child.on('close', (code) => {
        this.#done = true;
        this.#wake();
        resolve(code);
      });
    });
  }

  /** Resolves when the server has responded to the watch. After this, kubectl receives all changes as events. */
  watching(): Promise<void> {
    return this.#until(() => this.#log.some((line) => /watch=true.*200 OK/.test(line)));
  }

  /** Resolves when kubectl has printed this number of lines. */
  async printed(count: number): Promise<string[]> {
    await this.#until(() => this.lines.length >= count);
    return this.lines;
  }

  /** The requests so far, newest last. */
  get requests(): string[] {
    return this.#log.filter((line) => /https:.*\d{3} /.test(line));
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.#done) throw new Error(`kubectl has ended: ${[...this.lines, ...this.#log].join('\n')}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
