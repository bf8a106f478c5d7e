/** The output for the progress. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const barWidth = 30;
const barIntervalMs = 100;
const lineIntervalMs = 5000;
const verbs = { copy: 'copied', verify: 'verified' };
const eraseLine = '\r\u001b[K';

/** Shows the progress of a transfer: a bar on a terminal, otherwise periodic lines. */
export class TransferProgress {
  readonly #output: ProgressOutput;
  readonly #now: () => number;
  readonly #isTerminal: boolean;
  #total: number | undefined;
  #phase: keyof typeof verbs = 'copy';
  #phaseStart: number;
  #next: number;
  #hasBar = false;

  constructor(output: ProgressOutput, now: () => number = () => performance.now()) {
    this.#output = output;
    this.#now = now;
    this.#isTerminal = output.isTTY === true;
    this.#phaseStart = now();
    this.#next = this.#phaseStart + this.#interval;
  }

  line(text: string): void {
    this.#erase();
    this.#output.write(`${text}\n`);
  }

  start({ total, continued }: { readonly total: number | undefined; readonly continued: boolean }): void {
    this.#total = total;
    if (continued) this.line('continuing an interrupted copy');
  }

  report(phase: keyof typeof verbs, done: number): void {
    const now = this.#now();
    if (phase !== this.#phase) {
      this.#phase = phase;
      this.#phaseStart = now;
    }
    if (now < this.#next) return;
    this.#next = now + this.#interval;
    const text = this.#text(done, now);
    if (!this.#isTerminal) {
      this.line(text);
      return;
    }
    this.#output.write(`${eraseLine}${this.#bar(done)}${text}`);
    this.#hasBar = true;
  }

  /** Removes the bar. */
  end(): void {
    this.#erase();
  }

  #erase(): void {
    if (this.#hasBar) this.#output.write(eraseLine);
    this.#hasBar = false;
  }

  get #interval(): number {
    return this.#isTerminal ? barIntervalMs : lineIntervalMs;
  }

  #text(done: number, now: number): string {
    const seconds = (now - this.#phaseStart) / 1000;
    const rate = seconds > 0 ? `, ${Math.round(done / seconds)} per second` : '';
    const of = this.#total === undefined ? '' : ` of ${this.#total}`;
    return `${done}${of} ${verbs[this.#phase]}${rate}`;
  }

  #bar(done: number): string {
    if (this.#total === undefined || this.#total === 0) return '';
    const filled = Math.round(Math.min(done / this.#total, 1) * barWidth);
    return `[${'#'.repeat(filled)}${' '.repeat(barWidth - filled)}] `;
  }
}
