import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeJson, encodeJson } from '../../src/codec/json/index.ts';
import type { Schema, StructSchema } from '../../src/schema/model.ts';
import { isLong } from '../is-long.ts';
import { canonical, decodeAs, encodeAs, encodingNames } from './encodings.ts';
import { expectSame } from './expect-same.ts';
import { generateObject } from './generated-object.ts';
import { kinds } from './kinds.ts';

/** The number of runs per kind. The seed and density of a failure are printed. */
const fullRuns = isLong ? 3 : 1;
const sparseRuns = isLong ? 25 : 2;

const seeds = fc.noShrink(fc.integer());
const sparse = fc.integer({ min: 1, max: 9 }).map((tenths) => tenths / 10);

describe.each([...kinds.values()])('$schema.name', (kind) => {
  const comesBack = (seed: number, density: number): void => {
    const text = encodeJson(generateObject(kind.schema, { seed, density }));
    const { value, source } = decodeJson(Buffer.from(text));
    const { object } = canonical(kind, value, source);
    for (const encoding of encodingNames) {
      const read = decodeAs(encoding, kind, encodeAs(encoding, kind, object));
      expectSame({ [encoding]: read.object }, { [encoding]: object });
      expect(read.findings.texts).toEqual([]);
    }
  };

  it('comes back from every encoding with every field set', () => {
    fc.assert(fc.property(seeds, fc.constant(1), comesBack), { numRuns: fullRuns });
  });

  it('comes back from every encoding with some fields set', () => {
    fc.assert(fc.property(seeds, sparse, comesBack), { numRuns: sparseRuns });
  });

  it('can be generated with every field set', () => {
    const missing = new Set(fieldsBelow(kind.schema));
    for (let seed = 0; seed < 20 && missing.size > 0; seed++) {
      note(kind.schema, generateObject(kind.schema, { seed, density: 1 }), missing);
    }
    expect([...missing]).toEqual([]);
  });
});

function fieldsBelow(schema: Schema, seen = new Set<StructSchema>()): string[] {
  if (schema.type === 'list') return fieldsBelow(schema.items, seen);
  if (schema.type === 'map') return fieldsBelow(schema.values, seen);
  if (schema.type === 'scalar' || seen.has(schema)) return [];
  seen.add(schema);
  const own = schema.fields.filter(({ inline }) => inline !== true).map(({ name }) => `${schema.name}.${name}`);
  const below = schema.fields.flatMap((field) => fieldsBelow(field.schema, seen));
  return schema.untagged === true ? below : [...own, ...below];
}

/** Removes the fields that the value has from the set. */
function note(schema: Schema, value: unknown, missing: Set<string>): void {
  if (schema.type === 'list' && Array.isArray(value)) {
    for (const item of value) note(schema.items, item, missing);
  } else if (schema.type === 'map') {
    for (const element of Object.values(value as object)) note(schema.values, element, missing);
  } else if (schema.type === 'struct' && typeof value === 'object') {
    for (const { name, schema: fieldSchema, inline } of schema.fields) {
      const field = schema.untagged === true || inline === true ? value : (value as Record<string, unknown>)[name];
      if (field === undefined) continue;
      missing.delete(`${schema.name}.${name}`);
      note(fieldSchema, field, missing);
    }
  }
}
