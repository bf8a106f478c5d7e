import { describe, expect, it } from 'vitest';
import { CelError, compileExpression } from '../../cel/index.ts';
import {
  bool,
  bytes,
  field,
  float64,
  int32,
  intOrString,
  json,
  listOf,
  mapOf,
  quantity,
  rawExtension,
  string,
  struct,
  time,
} from '../builders.ts';
import { ObjectMeta } from '../meta-types.ts';
import type { StructSchema } from '../model.ts';
import { customSchema } from '../structural/custom-schema.ts';
import { objectType } from './object-type.ts';

const Part = struct('test/v1.Part', () => ({
  name: field(1, string),
  get parts() {
    return field(2, listOf(Part));
  },
}));
const Common = struct('test/v1.Common', () => ({ shared: field(1, bool) }));
const Machine = struct('test/v1.Machine', () => ({
  metadata: field(1, ObjectMeta),
  common: field(2, Common, { inline: true }),
  count: field(3, int32),
  weight: field(4, float64),
  parts: field(5, listOf(Part)),
  byName: field(6, mapOf(Part)),
  limits: field(7, mapOf(quantity)),
  port: field(8, intOrString),
  secret: field(9, bytes),
  since: field(10, time),
  anything: field(11, json),
  extension: field(12, rawExtension),
  namespace: field(13, string),
}));
const Custom = customSchema(
  {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { size: { type: 'integer' }, open: {}, names: { type: 'array', items: { type: 'string' } } },
      },
    },
  },
  { group: 'example.com', version: 'v1', kind: 'Custom' },
);

function typeIn(schema: StructSchema, text: string): string {
  try {
    return compileExpression(text, { variables: { object: objectType(schema, 'Machine') } }).resultType;
  } catch (error) {
    if (error instanceof CelError) return error.message.split('\n')[0]!.replace(/.*?1:\d+: /, '');
    throw error;
  }
}

describe('the type of an object', () => {
  it.each<[string, string]>([
    ['object', 'Machine'],
    ['object.kind + object.apiVersion', 'string'],
    ['object.metadata.labels', 'map(string, string)'],
    ['object.metadata.creationTimestamp', 'timestamp'],
    ['object.shared', 'bool'],
    ['object.count', 'int'],
    ['object.weight', 'double'],
    ['object.parts', 'list(Machine.parts.@idx)'],
    ['object.parts[0].parts[0].parts[0].name', 'string'],
    ["object.byName['a'].name", 'string'],
    ["object.limits['cpu']", 'dyn'],
    ['object.port', 'dyn'],
    ['object.secret', 'bytes'],
    ['object.since', 'timestamp'],
    ['object.extension', 'Machine.extension'],
    ['object.__namespace__', 'string'],
    ['object.anything', "undefined field 'anything'"],
    ['object.spec', "undefined field 'spec'"],
    ['object.count == object.shared', "found no matching overload for '_==_' applied to '(int, bool)'"],
  ])('has the fields of a built-in kind: %s', (text, type) => {
    expect(typeIn(Machine, text)).toBe(type);
  });

  it.each<[string, string]>([
    ['object.spec.size', 'int'],
    ['object.spec.names', 'list(string)'],
    ['object.spec.open', "undefined field 'open'"],
    ['object.metadata.name + object.kind', 'string'],
    ['object.metadata.annotations', 'map(string, string)'],
  ])('has the fields of a custom kind: %s', (text, type) => {
    expect(typeIn(Custom, text)).toBe(type);
  });
});
