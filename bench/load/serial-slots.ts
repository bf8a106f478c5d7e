import { digitMark, serialMark, turnMark } from './load-plan.ts';

/** A prime, so that every number below the limit occurs before one is repeated. */
const step = 7919;

/** The positions of the serial number in an encoded request. Each copy of the request gets a different number. */
export class SerialSlots {
  readonly #offsets: readonly number[];
  readonly #digitOffsets: readonly number[];
  readonly #turnOffsets: readonly number[];
  readonly #below: number | undefined;

  /** With `below`, the numbers below it are repeated in wide steps. */
  constructor(template: Buffer, below?: number) {
    this.#offsets = [...offsetsOf(template, serialMark)];
    this.#digitOffsets = [...digitOffsetsOf(template, digitMark)];
    this.#turnOffsets = [...digitOffsetsOf(template, turnMark)];
    this.#below = below;
  }

  /** `next` returns the count of requests in the run. */
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

/** Inserts a serial number into a single request that is sent without the load generator. */
export function withSerial(template: string, serial: number): string {
  const bytes = Buffer.from(template);
  new SerialSlots(bytes).fill(bytes, () => serial);
  return bytes.toString();
}

function* offsetsOf(template: Buffer, mark: string): Generator<number> {
  for (let at = template.indexOf(mark); at >= 0; at = template.indexOf(mark, at + mark.length)) yield at;
}

/** Returns the offsets of the one character in the placeholder that is replaced. */
function* digitOffsetsOf(template: Buffer, mark: string): Generator<number> {
  for (const offset of offsetsOf(template, mark)) yield offset + mark.indexOf('#');
}
