import { describe, expect, it, test } from 'vitest';
import {
  bool,
  bytes,
  duration,
  field,
  fieldsV1,
  float64,
  int32,
  int64,
  intOrString,
  json,
  listOf,
  mapOf,
  microTime,
  quantity,
  rawExtension,
  string,
  struct,
  time,
  uint32,
} from '../builders.ts';
import type { FieldOptions, Schema, StructSchema } from '../model.ts';
import { compileKind, Findings } from './index.ts';

const ObjectMeta = struct('meta/v1.ObjectMeta', () => ({
  name: field(1, string),
  creationTimestamp: field(8, time),
  labels: field(11, mapOf(string)),
}));

const Port = struct('core/v1.Port', () => ({
  name: field(1, string),
  port: field(2, int32, { required: true, always: true }),
  protocol: field(3, string, { default: 'TCP' }),
}));

/** A kind whose spec has one field `value`. */
function kindOf(schema: Schema, options?: FieldOptions) {
  const Spec = struct('core/v1.ThingSpec', () => ({ value: field(1, schema, options) }));
  return compile(Spec);
}

function compile(spec: StructSchema) {
  const Thing = struct('core/v1.Thing', () => ({ metadata: field(1, ObjectMeta), spec: field(2, spec) }));
  return compileKind({ schema: Thing, kind: 'Thing', apiVersion: 'v1' });
}

function specOf(schema: Schema, value: unknown, options?: FieldOptions): unknown {
  return kindOf(schema, options).normalize({ spec: { value } }, new Findings()).spec;
}

describe('canonical values', () => {
  test.each<[string, Schema, unknown, unknown]>([
    ['string', string, 'a', 'a'],
    ['bool', bool, true, true],
    ['int32', int32, -5, -5],
    ['int64', int64, 2 ** 40, 2 ** 40],
    ['large int64', int64, 2n ** 63n - 1n, 2n ** 63n - 1n],
    ['uint32', uint32, 2 ** 32 - 1, 2 ** 32 - 1],
    ['float64', float64, 1.5, 1.5],
    ['bytes', bytes, 'aGk=', 'aGk='],
    ['bytes with line breaks', bytes, 'aG\r\nk=\n', 'aGk='],
    ['bytes with loose bits', bytes, 'aGl=', 'aGk='],
    ['time', time, '2024-01-01T02:00:00+01:00', '2024-01-01T01:00:00Z'],
    ['microTime', microTime, '2024-01-01T02:00:00.000001+01:00', '2024-01-01T01:00:00.000001Z'],
    ['duration', duration, '90s', '1m30s'],
    ['quantity', quantity, '1000m', '1'],
    ['quantity as number', quantity, 0.5, '500m'],
    ['quantity as large number', quantity, 2n ** 62n, '4611686018427387904'],
    ['intOrString as string', intOrString, 'http', 'http'],
    ['intOrString as number', intOrString, 80, 80],
    ['rawExtension', rawExtension, { z: 1, a: [null, {}] }, { z: 1, a: [null, {}] }],
    ['fieldsV1', fieldsV1, { 'f:a': {} }, { 'f:a': {} }],
    ['json', json, [{}, ''], [{}, '']],
    ['list', listOf(string), ['b', 'a', ''], ['b', 'a', '']],
    ['list with nulls', listOf(string), [null, 'a'], ['', 'a']],
    ['list of structs with nulls', listOf(Port), [null], [{ port: 0, protocol: 'TCP' }]],
    ['list of lists', listOf(listOf(int32)), [[1], []], [[1], null]],
    ['map of bytes', mapOf(bytes), { a: '', b: null }, { a: '', b: '' }],
  ])('%s', (_name, schema, value, expected) => {
    expect(specOf(schema, value)).toEqual({ value: expected });
  });
});

describe('values that are omitted', () => {
  test.each<[string, Schema, unknown]>([
    ['null', string, null],
    ['string', string, ''],
    ['bool', bool, false],
    ['int32', int32, 0],
    ['negative zero', int64, -0],
    ['bytes', bytes, ''],
    ['list', listOf(string), []],
    ['map', mapOf(string), {}],
    ['map of structs', mapOf(Port), {}],
    ['rawExtension', rawExtension, null],
  ])('%s', (_name, schema, value) => {
    expect(Object.keys(specOf(schema, value) as object)).toEqual([]);
  });

  it('zero values are kept where absent and zero are distinct', () => {
    expect(specOf(int32, 0, { pointer: true })).toEqual({ value: 0 });
    expect(specOf(string, '', { pointer: true })).toEqual({ value: '' });
    expect(specOf(bool, false, { pointer: true })).toEqual({ value: false });
    expect(specOf(Port, {}, { pointer: true })).toEqual({ value: { port: 0, protocol: 'TCP' } });
    expect(specOf(bool, null, { pointer: true })).toEqual({});
    expect(specOf(Port, null, { pointer: true })).toEqual({});
  });
});

describe('values that are written when absent', () => {
  test.each<[string, Schema, FieldOptions, unknown]>([
    ['string', string, { always: true }, ''],
    ['int64', int64, { always: true }, 0],
    ['bool', bool, { always: true }, false],
    ['list', listOf(string), { always: true }, null],
    ['map', mapOf(string), { always: true }, null],
    ['bytes', bytes, { always: true }, null],
    ['time', time, { always: true }, null],
    ['pointer', string, { always: true, pointer: true }, null],
    ['a time that is no pointer', time, {}, null],
    ['a quantity that is no pointer', quantity, {}, '0'],
    ['an intOrString that is no pointer', intOrString, {}, 0],
    ['a struct that is no pointer', Port, {}, { port: 0, protocol: 'TCP' }],
    ['a default', string, { default: 'x' }, 'x'],
    ['a default of a pointer', int32, { default: 1, pointer: true }, 1],
    ['a default that is an object', json, { default: { a: [1] }, pointer: true }, { a: [1] }],
  ])('%s', (_name, schema, options, expected) => {
    for (const value of [undefined, null]) expect(specOf(schema, value, options)).toEqual({ value: expected });
  });

  it('a null creationTimestamp is omitted', () => {
    const thing = kindOf(string).normalize({ metadata: { creationTimestamp: null } }, new Findings());
    expect(thing.metadata).toEqual({});
  });

  it('a default replaces a zero only where zero means absent', () => {
    expect(specOf(string, '', { default: 'x' })).toEqual({ value: 'x' });
    expect(specOf(int32, 0, { default: 1, pointer: true })).toEqual({ value: 0 });
  });

  it('defaults can be disabled', () => {
    const kind = kindOf(Port);
    expect(kind.normalize({}, new Findings(), { defaults: false }).spec).toEqual({ value: { port: 0 } });
  });

  it('default objects are not shared', () => {
    const kind = kindOf(json, { default: { a: [] }, pointer: true });
    const [first, second] = [1, 2].map(() => kind.normalize({}, new Findings()).spec as { value: object });
    expect(first!.value).not.toBe(second!.value);
  });
});

describe('canonical order', () => {
  it('has kind and apiVersion first, then the order of the schema, and maps sorted', () => {
    const input = { spec: { value: { b: 'x', a: 'y' } }, metadata: { labels: { z: '1', b: '2' }, name: 'n' } };
    const thing = kindOf(mapOf(string)).normalize(input, new Findings());
    expect(JSON.stringify(thing)).toBe(
      '{"kind":"Thing","apiVersion":"v1","metadata":{"name":"n","labels":{"b":"2","z":"1"}},"spec":{"value":{"a":"y","b":"x"}}}',
    );
  });

  it('does not modify the input', () => {
    const input = Object.freeze({ spec: Object.freeze({ value: Object.freeze({ b: 'x', a: 'y' }) }) });
    const { spec } = kindOf(mapOf(string)).normalize(input, new Findings());
    expect(spec).toEqual(input.spec);
    expect(JSON.stringify(input)).toBe('{"spec":{"value":{"b":"x","a":"y"}}}');
  });

  it('treats null as an empty object', () => {
    expect(kindOf(string).normalize(null, new Findings())).toEqual({
      kind: 'Thing',
      apiVersion: 'v1',
      metadata: {},
      spec: {},
    });
  });
});

describe('structs', () => {
  it('inline structs are part of their parent', () => {
    const Source = struct('core/v1.Source', () => ({
      path: field(1, string),
      port: field(2, Port, { pointer: true }),
    }));
    const Volume = struct('core/v1.Volume', () => ({
      name: field(1, string),
      source: field(2, Source, { inline: true }),
      last: field(3, string),
    }));
    const spec = compile(Volume).normalize({ spec: { last: 'l', path: 'p', name: 'n' } }, new Findings()).spec;
    expect(JSON.stringify(spec)).toBe('{"name":"n","path":"p","last":"l"}');
  });

  it('untagged structs are encoded as the value of their field', () => {
    const PortOrBool = struct(
      'core/v1.PortOrBool',
      () => ({ allows: field(1, bool), port: field(2, Port), ports: field(3, listOf(Port)) }),
      { untagged: true },
    );
    const options = { pointer: true };
    expect(specOf(PortOrBool, false, options)).toEqual({ value: false });
    expect(specOf(PortOrBool, {}, options)).toEqual({ value: { port: 0, protocol: 'TCP' } });
    expect(specOf(PortOrBool, [{}], options)).toEqual({ value: [{ port: 0, protocol: 'TCP' }] });
    expect(() => specOf(PortOrBool, 'x', options)).toThrow('boolean or JSON schema expected');
  });

  it('recursive structs are normalized up to the depth of the stack', () => {
    const Node: StructSchema = struct('core/v1.Node', () => ({
      name: field(1, string),
      child: field(2, Node, { pointer: true }),
      children: field(3, mapOf(Node)),
    }));
    const spec = { child: { name: 'a', children: { x: { child: { name: 'b' } } } } };
    expect(compile(Node).normalize({ spec }, new Findings()).spec).toEqual(spec);
    let deep: object = {};
    for (let depth = 0; depth < 100_000; depth++) deep = { child: deep };
    expect(() => compile(Node).normalize({ spec: deep }, new Findings())).toThrow('exceeded max depth');
  });

  it('structs may have more than 64 fields', () => {
    const names = Array.from({ length: 100 }, (_, index) => `field${index}`);
    const Wide = struct('core/v1.Wide', () =>
      Object.fromEntries(names.map((name, index) => [name, field(index, string, { always: index % 9 === 0 })])),
    );
    const findings = new Findings();
    const spec = compile(Wide).normalize({ spec: { other: 1, field80: 'b', field2: 'a' } }, findings).spec as object;
    expect(Object.keys(spec)).toEqual(names.filter((_, index) => index % 9 === 0 || index === 80 || index === 2));
    expect(findings.texts).toEqual(['unknown field "spec.other"']);
  });

  it('fields may have the names of Object.prototype properties', () => {
    const Odd = struct('core/v1.Odd', () => ({
      constructor: field(1, string, { always: true }),
      valueOf: field(2, json),
    }));
    expect(Object.entries(compile(Odd).normalize({ spec: {} }, new Findings()).spec as object)).toEqual([
      ['constructor', ''],
    ]);
    const labels = JSON.parse('{"__proto__":"x","constructor":"y"}') as object;
    const normalized = specOf(mapOf(string), labels) as { value: object };
    expect(Object.entries(normalized.value)).toEqual(Object.entries(labels));
  });
});
