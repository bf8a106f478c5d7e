import { requestBounds, tooManyValues } from '../document-bounds.ts';
import type { ScalarTexts } from './scalar-texts.ts';

/** The kinds of events. Between its begin and end, a map is a sequence of key, value, key, value. */
export const events = {
  alias: 0,
  /** The end of a list or a map. */
  end: 1,
  mapping: 2,
  sequence: 3,
  scalar: 4,
  /** A scalar whose type depends on its text. */
  plain: 5,
} as const;

const kindMask = 7;
const open = 8;
const tagShift = 4;
const rowSize = 4;
/** A typical document has about one event per this number of characters. */
const charactersPerEvent = 8;
const minEvents = 16;
/** A value has at most three events: its key, its begin and its end. */
const maxEvents = 3 * requestBounds.maxValues;

/** The events of a document, stored as rows of numbers, because there may be millions. */
export class YamlEvents {
  readonly #texts: ScalarTexts;
  #rows: Int32Array;
  #size = 0;
  readonly #tags = [''];
  readonly #tagNumbers = new Map([['', 0]]);

  /** `length` is the length of the document. */
  constructor(texts: ScalarTexts, length: number) {
    this.#texts = texts;
    const expected = Math.min(Math.trunc(length / charactersPerEvent) + minEvents, maxEvents);
    this.#rows = new Int32Array(expected * rowSize);
  }

  get length(): number {
    return this.#size / rowSize;
  }

  add(kind: number, line: number): void {
    if (this.#size === this.#rows.length) this.#grow();
    if (this.#size > maxEvents * rowSize) throw tooManyValues(requestBounds);
    this.#rows[this.#size] = kind;
    this.#rows[this.#size + 1] = line;
    this.#size += rowSize;
  }

  /** Applies to the last event. */
  setText(from: number, to: number): void {
    this.#rows[this.#size - 2] = from;
    this.#rows[this.#size - 1] = to;
  }

  /** Applies to the last event. */
  setTag(tag: string): void {
    let number = this.#tagNumbers.get(tag);
    if (number === undefined) {
      number = this.#tags.push(tag) - 1;
      this.#tagNumbers.set(tag, number);
    }
    this.#rows[this.#size - rowSize]! |= number << tagShift;
  }

  kindOf(event: number): number {
    return this.#rows[event * rowSize]! & kindMask;
  }

  /** Counts from zero. */
  lineOf(event: number): number {
    return this.#rows[event * rowSize + 1]!;
  }

  /** The value of a scalar. */
  textOf(event: number): string {
    const row = event * rowSize;
    return this.#texts.get(this.#rows[row + 2]!, this.#rows[row + 3]!);
  }

  textLengthOf(event: number): number {
    const row = event * rowSize;
    return this.#texts.lengthOf(this.#rows[row + 2]!, this.#rows[row + 3]!);
  }

  /** Returns the full tag, or an empty string if there is none. */
  tagOf(event: number): string {
    return this.#tags[this.#rows[event * rowSize]! >>> tagShift]!;
  }

  /** The event that an alias refers to. */
  targetOf(event: number): number {
    return this.#rows[event * rowSize + 2]!;
  }

  /** The anchor name in an alias. */
  nameOf(event: number): string {
    return this.#texts.nameAt(this.#rows[event * rowSize + 3]!);
  }

  /** Returns whether a list or map has been marked as open and not closed yet. */
  isOpen(event: number): boolean {
    return (this.#rows[event * rowSize]! & open) !== 0;
  }

  open(event: number): void {
    this.#rows[event * rowSize]! |= open;
  }

  close(event: number): void {
    this.#rows[event * rowSize]! &= ~open;
  }

  /** Returns the event after the node that begins with this event. */
  behind(event: number): number {
    let depth = 0;
    let next = event;
    do {
      const kind = this.kindOf(next);
      if (kind === events.end) depth--;
      else if (kind === events.mapping || kind === events.sequence) depth++;
      next++;
    } while (depth > 0);
    return next;
  }

  #grow(): void {
    const rows = new Int32Array(this.#rows.length * 2);
    rows.set(this.#rows);
    this.#rows = rows;
  }
}
