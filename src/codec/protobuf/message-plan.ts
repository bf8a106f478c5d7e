import type { WriteValue } from './value-writer.ts';
import { WireWriter } from './wire-writer.ts';

export interface FieldPlan {
  readonly name: string;
  readonly number: number;
  readonly tag: number;
  readonly write: WriteValue;
  /** A pointer, list or map in Go, which is omitted when nil. Other fields are written even when zero. */
  readonly optional: boolean;
  /** The field's value is the object itself. */
  readonly inline: boolean;
}

/** Limited by the bits of two 32-bit words. No type has more fields. */
const maxPositions = 64;
/** Zero values are short. */
const zeroCapacity = 64;

/**
 * Writes the messages of one type. The cost depends on the fields that are present or always written, not on all fields
 * of the type: the keys of the object are looked up once, and their positions are stored as bits. The set positions are
 * then visited in descending order of field number.
 */
export class MessagePlan {
  readonly #fields: readonly FieldPlan[];
  readonly #positions: ReadonlyMap<string, number>;
  /** Computed lazily, because they may contain the zero values of other types. */
  readonly #zeros: (Buffer | undefined)[];
  /** The positions of the fields that are not optional. */
  readonly #low: number = 0;
  readonly #high: number = 0;

  constructor(fields: readonly FieldPlan[]) {
    if (fields.length > maxPositions) throw new TypeError(`a message of ${fields.length} fields`);
    this.#fields = fields.toSorted((one, other) => one.number - other.number);
    this.#positions = new Map(this.#fields.flatMap(({ name, inline }, at) => (inline ? [] : [[name, at] as const])));
    this.#zeros = this.#fields.map(() => undefined);
    for (const [position, { optional }] of this.#fields.entries()) {
      if (optional) continue;
      if (position < 32) this.#low |= 1 << position;
      else this.#high |= 1 << (position - 32);
    }
  }

  /** Writes the message without its length. */
  write(writer: WireWriter, object: Readonly<Record<string, unknown>>): void {
    const positions = this.#positions;
    let low = 0;
    let high = 0;
    for (const key in object) {
      const position = positions.get(key);
      if (position === undefined) continue;
      if (position < 32) low |= 1 << position;
      else high |= 1 << (position - 32);
    }
    for (let rest = high | this.#high; rest !== 0; ) {
      const bit = 31 - Math.clz32(rest);
      rest &= ~(1 << bit);
      if ((high >>> bit) & 1) this.#writePresent(writer, object, 32 + bit);
      else this.#writeAbsent(writer, object, 32 + bit);
    }
    for (let rest = low | this.#low; rest !== 0; ) {
      const bit = 31 - Math.clz32(rest);
      rest &= ~(1 << bit);
      if ((low >>> bit) & 1) this.#writePresent(writer, object, bit);
      else this.#writeAbsent(writer, object, bit);
    }
  }

  #writePresent(writer: WireWriter, object: Readonly<Record<string, unknown>>, position: number): void {
    const { name, write, tag, optional } = this.#fields[position]!;
    const value = object[name];
    if (value !== null && value !== undefined) write(writer, value, tag);
    else if (!optional) writer.raw(this.#zero(position));
  }

  #writeAbsent(writer: WireWriter, object: Readonly<Record<string, unknown>>, position: number): void {
    const { inline, write, tag } = this.#fields[position]!;
    if (inline) write(writer, object, tag);
    else writer.raw(this.#zeros[position] ?? this.#zero(position));
  }

  #zero(position: number): Buffer {
    let zero = this.#zeros[position];
    if (zero === undefined) {
      const { write, tag } = this.#fields[position]!;
      const writer = new WireWriter(zeroCapacity);
      write(writer, undefined, tag);
      zero = writer.finish();
      this.#zeros[position] = zero;
    }
    return zero;
  }
}
