import { digitMark, serialMark } from './load-plan.ts';

const digitAt = digitMark.indexOf('#');

/** The places of the serial number inside a ready request, where each copy of it gets its own number. */
export class SerialSlots {
  readonly #offsets: readonly number[];
  readonly #digitOffsets: readonly number[];

  constructor(template: Buffer) {
    this.#offsets = [...offsetsOf(template, serialMark)];
    this.#digitOffsets = [...offsetsOf(template, digitMark)].map((offset) => offset + digitAt);
  }

  fill(copy: Buffer, nextSerial: () => number): void {
    if (this.#offsets.length === 0) return;
    const digits = String(nextSerial()).padStart(serialMark.length, '0');
    for (const offset of this.#offsets) copy.write(digits, offset, 'latin1');
    for (const offset of this.#digitOffsets) copy[offset] = digits.charCodeAt(digits.length - 1);
  }
}

/** A single request for which no load generator is needed. */
export function withSerial(template: string, serial: number): string {
  const bytes = Buffer.from(template);
  new SerialSlots(bytes).fill(bytes, () => serial);
  return bytes.toString();
}

function* offsetsOf(template: Buffer, mark: string): Generator<number> {
  for (let at = template.indexOf(mark); at >= 0; at = template.indexOf(mark, at + mark.length)) yield at;
}
