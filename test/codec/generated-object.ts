import type { Schema, StructSchema } from '../../src/schema/model.ts';
import { generatedKey, generatedScalars } from './generated-scalars.ts';
import { Random } from './random.ts';

/** How often a type may occur within itself. Deeper values of the type are empty. */
const maxDepth = 2;

interface ObjectOptions {
  readonly seed: number;
  /** The share of fields that are set at every level. With 1, all fields are set. */
  readonly density: number;
}

/** Generates an object of a type in its JSON form. The same seed gives the same object. */
export function generateObject(schema: StructSchema, { seed, density }: ObjectOptions): Record<string, unknown> {
  return new ObjectGenerator(new Random(seed), density).struct(schema);
}

class ObjectGenerator {
  readonly #random: Random;
  readonly #density: number;
  readonly #path: StructSchema[] = [];

  constructor(random: Random, density: number) {
    this.#random = random;
    this.#density = density;
  }

  struct(schema: StructSchema): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    if (this.#path.filter((outer) => outer === schema).length >= maxDepth) return object;
    this.#path.push(schema);
    for (const field of schema.fields) {
      if (!this.#random.chance(this.#density)) continue;
      const value = this.#value(field.schema);
      if (field.inline === true) Object.assign(object, value);
      else object[field.name] = value;
    }
    this.#path.pop();
    return object;
  }

  #value(schema: Schema): unknown {
    if (this.#density < 1 && this.#random.chance(0.02)) return null;
    switch (schema.type) {
      case 'scalar':
        return generatedScalars[schema.kind](this.#random);
      case 'struct':
        return schema.untagged === true ? this.#value(this.#random.pick(schema.fields).schema) : this.struct(schema);
      case 'list':
        return Array.from({ length: this.#length() }, () => this.#value(schema.items));
      case 'map':
        return Object.fromEntries(
          Array.from({ length: this.#length() }, () => [generatedKey(this.#random), this.#value(schema.values)]),
        );
    }
  }

  /** Mostly 1, because nested lists multiply. 0 only if not all fields must be set. */
  #length(): number {
    if (this.#random.chance(0.8)) return 1;
    return this.#density < 1 ? this.#random.below(4) : 1 + this.#random.below(3);
  }
}
