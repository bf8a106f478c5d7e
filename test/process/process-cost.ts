import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** What a process takes from now on. Only Linux tells; elsewhere it is nothing. */
export class ProcessCost {
  readonly #folder: string;
  readonly #isKnown: boolean;
  readonly #memory: number;
  readonly #cpu: number;

  constructor(pid: number) {
    this.#folder = `/proc/${pid}`;
    this.#isKnown = existsSync(`${this.#folder}/clear_refs`);
    // The peak starts again at what is in use.
    if (this.#isKnown) writeFileSync(`${this.#folder}/clear_refs`, '5');
    this.#memory = this.#peak();
    this.#cpu = this.#cpuSeconds();
  }

  /** The most memory since, in megabytes, beyond what was in use before. */
  get megabytes(): number {
    return this.#peak() - this.#memory;
  }

  get cpuSeconds(): number {
    return this.#cpuSeconds() - this.#cpu;
  }

  #peak(): number {
    if (!this.#isKnown) return 0;
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`${this.#folder}/status`, 'utf8'))![1]) / 1024;
  }

  #cpuSeconds(): number {
    if (!this.#isKnown) return 0;
    // The name of the program, in parentheses, may hold anything.
    const fields = readFileSync(`${this.#folder}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  }
}
