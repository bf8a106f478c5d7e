import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../structural/json-schema.ts';
import { maxOccurrences, schemaType } from './schema-type.ts';

const request = 3 * 1024 * 1024;
const typeOf = (schema: JsonSchema) => schemaType(schema, { isRoot: false });

describe('the type of a schema', () => {
  it.each<[JsonSchema, string, number | undefined, number]>([
    [{ type: 'boolean' }, 'bool', 0, 4],
    [{ type: 'integer' }, 'int', 0, 1],
    [{ type: 'number' }, 'double', 0, 1],
    [{ type: 'string' }, 'string', request - 2, 2],
    [{ type: 'string', maxLength: 5 }, 'string', 20, 2],
    [{ type: 'string', maxLength: -1 }, 'string', 0, 2],
    [{ type: 'string', enum: ['a', 'längst'] }, 'string', 7, 2],
    [{ type: 'string', enum: ['a'], maxLength: 2 }, 'string', 8, 2],
    [{ type: 'string', format: 'byte' }, 'bytes', request - 2, 2],
    [{ type: 'string', format: 'byte', maxLength: 5 }, 'bytes', 5, 2],
    [{ type: 'string', format: 'date' }, 'timestamp', 12, 12],
    [{ type: 'string', format: 'date-time' }, 'timestamp', 32, 21],
    [{ type: 'string', format: 'duration' }, 'duration', 32, 3],
    [{ type: 'string', format: 'uuid' }, 'string', request - 2, 2],
    [{ 'x-kubernetes-int-or-string': true }, 'dyn', request - 2, 1],
    [{ 'x-kubernetes-int-or-string': true, maxLength: 3 }, 'dyn', 12, 1],
    [{ type: 'array', items: { type: 'integer' } }, 'list', (request - 2) / 2, 2],
    [{ type: 'array', items: { type: 'integer' }, maxItems: 3 }, 'list', 3, 2],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, 'map', Math.floor((request - 2) / 7), 2],
    [{ type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 3 }, 'map', 3, 2],
    [{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, 'object', 0, 2],
    [
      {
        type: 'object',
        required: ['ab', 'c', 'd'],
        properties: { ab: { type: 'string' }, c: { type: 'integer', default: 1 }, d: {}, e: { type: 'string' } },
      },
      'object',
      0,
      10,
    ],
  ])('%j', (schema, kind, maxElements, minSize) => {
    expect(typeOf(schema)).toMatchObject({ type: { kind, maxElements }, minSize });
  });

  it.each<[JsonSchema]>([
    [{ 'x-kubernetes-preserve-unknown-fields': true }],
    [{ type: 'array' }],
    [{ type: 'array', items: { 'x-kubernetes-preserve-unknown-fields': true } }],
    [{ type: 'object', additionalProperties: { 'x-kubernetes-preserve-unknown-fields': true } }],
  ])('%j has none', (schema) => {
    expect(typeOf(schema)).toBeUndefined();
  });

  it('has the fields that expressions can name', () => {
    const properties = { 'a-b': { type: 'string' }, 'a b': { type: 'string' }, in: { type: 'integer' }, open: {} };
    expect(fieldsOf({ type: 'object', properties }, false)).toEqual(['a__dash__b', '__in__']);
  });

  it('always has the names of objects and embedded resources', () => {
    const all = ['apiVersion', 'kind', 'metadata'];
    expect(fieldsOf({ type: 'object' }, true)).toEqual(all);
    expect(fieldsOf({ type: 'object', 'x-kubernetes-embedded-resource': true }, false)).toEqual(all);
  });

  it('estimates how many values an object has', () => {
    expect(maxOccurrences(2)).toBe(1024 * 1024);
  });
});

function fieldsOf(schema: JsonSchema, isRoot: boolean): string[] {
  const { type } = schemaType(schema, { isRoot })!;
  return type.kind === 'object' ? Object.keys(type.fields) : [];
}
