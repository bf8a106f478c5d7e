import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** A kubectl that stays and follows something. It tells on stderr which requests it makes (`-v=6`). */
export class RunningKubectl {
  /** Resolves with the exit code. */
  readonly exit: Promise<number | null>;
  readonly lines: string[] = [];
  readonly #log: string[] = [];
  #wake: () => void = () => {};
  #done = false;

  /** Ended after the test at the latest. */
  constructor(kubectl: string, args: string, environment: NodeJS.ProcessEnv) {
    const child = spawn(kubectl, ['-v=6', ...args.split(' ')], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill());
    const heard = (list: string[]) => (line: string) => {
      list.push(line);
      this.#wake();
    };
    createInterface({ input: child.stdout }).on('line', heard(this.lines));
    createInterface({ input: child.stderr }).on('line', heard(this.#log));
    this.exit = new Promise((resolve) => {
      child.on('close', (code) => {
        this.#done = true;
        this.#wake();
        resolve(code);
      });
    });
  }

  /** Resolves when the server has answered its watch: from then on it can only learn by events. */
  watching(): Promise<void> {
    return this.#until(() => this.#log.some((line) => /watch=true.*200 OK/.test(line)));
  }

  /** Resolves when so many lines are out. */
  async printed(count: number): Promise<string[]> {
    await this.#until(() => this.lines.length >= count);
    return this.lines;
  }

  /** What it has asked for, newest last. */
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
