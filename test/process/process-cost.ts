import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Measures the memory and processor time of a process from now on. Always 0 on systems other than Linux. */
export class ProcessCost {
  readonly #folder: string;
  readonly #isKnown: boolean;
  readonly #memory: number;
  readonly #cpu: number;

  constructor(pid: number) {
    this.#folder = `/proc/${pid}`;
    this.#isKnown = existsSync(`${this.#folder}/clear_refs`);
    // Resets the peak to the current memory use.
    if (this.#isKnown) writeFileSync(`${this.#folder}/clear_refs`, '5');
    this.#memory = this.#peak();
    this.#cpu = this.#cpuSeconds();
  }

  /** The peak of the memory since then, in megabytes above the initial use. */
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
    // The name of the program is in parentheses and may contain any characters.
    const fields = readFileSync(`${this.#folder}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  }
}
