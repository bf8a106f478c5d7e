import { serialMark } from './load-plan.ts';

/** The places of the serial number inside a ready request, where each copy of it gets its own number. */
export class SerialSlots {
  readonly #offsets: number[] = [];

  constructor(template: Buffer) {
    for (let at = template.indexOf(serialMark); at >= 0; at = template.indexOf(serialMark, at + serialMark.length)) {
      this.#offsets.push(at);
    }
  }

  fill(copy: Buffer, nextSerial: () => number): void {
    if (this.#offsets.length === 0) return;
    const digits = String(nextSerial()).padStart(serialMark.length, '0');
    for (const offset of this.#offsets) copy.write(digits, offset, 'latin1');
  }
}
