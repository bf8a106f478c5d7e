import type { FieldPlan } from './field-plan.ts';
import type { Pass } from './pass.ts';
import { jsonTypeOf, TypeMismatch } from './type-mismatch.ts';

/** The number of fields that fit in two 32-bit words. */
const maxPositions = 64;

/**
 * Makes the cost proportional to the fields that are present, not to those that are declared: looks up each key of the
 * source once and records its position as a bit. Then visits these fields, and those that are always visited, in schema
 * order.
 */
export class StructPlan {
  readonly #goType: string;
  readonly #fields: readonly FieldPlan[];
  readonly #positions: ReadonlyMap<string, number>;
  /** The positions of the fields that must be visited even if they are absent. */
  readonly #low: number = 0;
  readonly #high: number = 0;

  constructor(goType: string, fields: readonly FieldPlan[]) {
    this.#goType = goType;
    this.#fields = fields;
    this.#positions = new Map(fields.map(({ name }, position) => [name, position]));
    for (const [position, field] of fields.slice(0, maxPositions).entries()) {
      if (!field.needsVisit) continue;
      if (position < 32) this.#low |= 1 << position;
      else this.#high |= 1 << (position - 32);
    }
  }

  normalize(value: unknown, pass: Pass): Record<string, unknown> {
    if (typeof value !== 'object' || Array.isArray(value)) throw new TypeMismatch(jsonTypeOf(value), this.#goType);
    const source = value as Record<string, unknown>;
    return this.#fields.length > maxPositions ? this.#copyWide(source, pass) : this.#copy(source, pass);
  }

  #copy(source: Record<string, unknown>, pass: Pass): Record<string, unknown> {
    const fields = this.#fields;
    const positions = this.#positions;
    let low = 0;
    let high = 0;
    for (const key in source) {
      const position = positions.get(key);
      if (position === undefined) pass.unknown = true;
      else if (position < 32) low |= 1 << position;
      else high |= 1 << (position - 32);
    }
    const result: Record<string, unknown> = {};
    for (let rest = low | this.#low; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      const field = fields[31 - Math.clz32(bit)]!;
      if ((low & bit) !== 0) field.copy(source, result, pass);
      else field.omit(result, pass);
    }
    for (let rest = high | this.#high; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      const field = fields[63 - Math.clz32(bit)]!;
      if ((high & bit) !== 0) field.copy(source, result, pass);
      else field.omit(result, pass);
    }
    return result;
  }

  #copyWide(source: Record<string, unknown>, pass: Pass): Record<string, unknown> {
    for (const key in source) {
      if (!this.#positions.has(key)) pass.unknown = true;
    }
    const result: Record<string, unknown> = {};
    for (const field of this.#fields) field.copy(source, result, pass);
    return result;
  }
}
