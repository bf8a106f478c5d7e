import type { WriteValue } from './value-writer.ts';
import { WireWriter } from './wire-writer.ts';

export interface FieldPlan {
  readonly name: string;
  readonly number: number;
  readonly tag: number;
  readonly write: WriteValue;
  /** A pointer, a list or a map in Go: nothing is written for nothing. Other fields are written even when zero. */
  readonly optional: boolean;
  /** Its value is the object itself. */
  readonly inline: boolean;
}

/** As many fields as have a bit in two words. No type has more. */
const maxPositions = 64;
/** For zero values, which are short. */
const zeroRoom = 64;

/**
 * The work is in proportion to the fields that are there and to those that are written anyway, not to those that could
 * be: the keys of the object are looked up once and their positions kept as bits. Those are then visited by their
 * numbers, the last one first.
 */
export class MessagePlan {
  readonly #fields: readonly FieldPlan[];
  readonly #positions: ReadonlyMap<string, number>;
  /** Made when they are needed: they may contain those of other types. */
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

  /** Without the length of the message. */
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
      const writer = new WireWriter(zeroRoom);
      write(writer, undefined, tag);
      zero = writer.finish();
      this.#zeros[position] = zero;
    }
    return zero;
  }
}
