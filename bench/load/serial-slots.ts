import { digitMark, serialMark, turnMark } from './load-plan.ts';

/** A prime: every number below the limit comes up before one comes again. */
const step = 7919;

/** The places of the serial number inside a ready request, where each copy of it gets its own number. */
export class SerialSlots {
  readonly #offsets: readonly number[];
  readonly #digitOffsets: readonly number[];
  readonly #turnOffsets: readonly number[];
  readonly #below: number | undefined;

  /** With `below`, the numbers below it come in wide steps, over and over. */
  constructor(template: Buffer, below?: number) {
    this.#offsets = [...offsetsOf(template, serialMark)];
    this.#digitOffsets = [...digitOffsetsOf(template, digitMark)];
    this.#turnOffsets = [...digitOffsetsOf(template, turnMark)];
    this.#below = below;
  }

  /** `next` counts the requests of a run. */
  fill(copy: Buffer, next: () => number): void {
    if (this.#offsets.length === 0) return;
    const count = next();
    const serial = this.#below === undefined ? count : (count * step) % this.#below;
    const turn = this.#below === undefined ? 0 : Math.floor(count / this.#below);
    const digits = String(serial).padStart(serialMark.length, '0');
    for (const offset of this.#offsets) copy.write(digits, offset, 'latin1');
    for (const offset of this.#digitOffsets) copy[offset] = digits.charCodeAt(digits.length - 1);
    for (const offset of this.#turnOffsets) copy[offset] = zero + (turn % 10);
  }
}

const zero = 0x30;

/** A single request for which no load generator is needed. */
export function withSerial(template: string, serial: number): string {
  const bytes = Buffer.from(template);
  new SerialSlots(bytes).fill(bytes, () => serial);
  return bytes.toString();
}

function* offsetsOf(template: Buffer, mark: string): Generator<number> {
  for (let at = template.indexOf(mark); at >= 0; at = template.indexOf(mark, at + mark.length)) yield at;
}

/** Of the one character in the mark that is replaced. */
function* digitOffsetsOf(template: Buffer, mark: string): Generator<number> {
  for (const offset of offsetsOf(template, mark)) yield offset + mark.indexOf('#');
}
