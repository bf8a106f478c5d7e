import { expect, test } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import { field, int64, json, listOf, mapOf, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import { afterUpdate } from './after-update.ts';
import { apply } from './apply.ts';
import { checkApplied } from './check-applied.ts';
import { describeConflicts } from './conflict.ts';
import { kindShape, openKindShape, type StructShape } from './shape.ts';

// Custom resources have no fields that are always written: every field is a pointer.
const pointer = true;
const Part = struct('sea/v1.Part', () => ({
  number: field(1, int64, { pointer }),
  side: field(2, string, { pointer, default: 'port' }),
  label: field(3, string, { pointer }),
}));
const Tag = struct('sea/v1.Tag', () => ({ name: field(1, string, { pointer }), text: field(2, string, { pointer }) }));
const RaftSpec = struct('sea/v1.RaftSpec', () => ({
  name: field(1, string, { pointer }),
  flags: field(2, mapOf(string), { pointer }),
  parts: field(3, listOf(Part), { pointer, list: ['number', 'side'] }),
  tags: field(4, listOf(Tag), { pointer, list: ['name'] }),
  extra: field(5, json, { pointer }),
}));
const Raft = struct('sea/v1.Raft', () => ({ metadata: field(1, ObjectMeta), spec: field(2, RaftSpec, { pointer }) }));
const Unknown = struct('sea/v1.Unknown', () => ({ metadata: field(1, ObjectMeta) }));

const time = '2020-01-01T00:00:00Z';
const apiVersion = 'sea/v1';

class Life {
  live: ResourceObject | undefined;
  readonly #shape: StructShape;

  constructor(shape: StructShape) {
    this.#shape = shape;
  }

  apply(manager: string, config: object): string[] {
    const applied = { apiVersion, kind: 'Raft', metadata: { name: 'x' }, ...config } as ResourceObject;
    const mistake = checkApplied(this.#shape, applied);
    if (mistake !== undefined) return [mistake.message];
    const result = apply({ shape: this.#shape, apiVersion, time, manager, live: this.live, applied, force: false });
    if (result.outcome === 'conflict') return [describeConflicts(result.conflicts).message];
    this.live = result.object;
    return this.#owners();
  }

  put(manager: string, value: object): string[] {
    const next = { apiVersion, kind: 'Raft', metadata: { name: 'x' }, ...value } as ResourceObject;
    const managedFields = afterUpdate({ shape: this.#shape, apiVersion, time, manager, live: this.live, next });
    this.live = { ...next, metadata: { ...next.metadata, managedFields: managedFields as unknown[] } };
    return this.#owners();
  }

  #owners(): string[] {
    const entries = (this.live?.metadata.managedFields ?? []) as Record<string, unknown>[];
    return entries.map(({ manager, fieldsV1 }) => `${manager} ${JSON.stringify(fieldsV1)}`);
  }
}

test('a create also owns the containers', () => {
  const life = new Life(kindShape(Raft));
  expect(life.put('u', { spec: { name: 'n', flags: { a: '1' } } })).toEqual([
    'u {"f:spec":{".":{},"f:flags":{".":{},"f:a":{}},"f:name":{}}}',
  ]);
});

test('list keys can have defaults', () => {
  const life = new Life(kindShape(Raft));
  expect(life.apply('a', { spec: { parts: [{ number: 1 }, { number: 1, side: 'lee' }] } })).toEqual([
    'a {"f:spec":{"f:parts":{"k:{\\"number\\":1,\\"side\\":\\"lee\\"}":{".":{},"f:number":{},"f:side":{}},"k:{\\"number\\":1,\\"side\\":\\"port\\"}":{".":{},"f:number":{}}}}}',
  ]);
});

test('an element without any key is rejected', () => {
  expect(new Life(kindShape(Raft)).apply('a', { spec: { tags: [{ text: 't' }] } })).toEqual([
    'failed to create typed patch object (/x; sea/v1, Kind=Raft): .spec.tags: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
  ]);
});

test('an element with one of its keys is accepted', () => {
  expect(new Life(kindShape(Raft)).apply('a', { spec: { parts: [{ label: 'l' }] } })).toEqual([
    'a {"f:spec":{"f:parts":{"k:{\\"side\\":\\"port\\"}":{".":{},"f:label":{}}}}}',
  ]);
});

test('an empty spec is owned', () => {
  const life = new Life(kindShape(Raft));
  life.apply('a', { spec: { name: 'n' } });
  expect(life.apply('a', { spec: {} })).toEqual(['a {"f:spec":{}}']);
});

test('a field without a schema is owned key by key', () => {
  const life = new Life(kindShape(Raft));
  expect(life.apply('a', { spec: { extra: { x: { y: 1 }, l: [1, 2] } } })).toEqual([
    'a {"f:spec":{"f:extra":{"f:l":{},"f:x":{".":{},"f:y":{}}}}}',
  ]);
});

test('an object without a schema is owned key by key, except for its metadata', () => {
  const life = new Life(openKindShape(Unknown));
  expect(life.apply('a', { spec: { a: 1, l: [{ name: 'x' }], m: { k: 'v' } }, other: { z: true } })).toEqual([
    'a {"f:other":{".":{},"f:z":{}},"f:spec":{".":{},"f:a":{},"f:l":{},"f:m":{".":{},"f:k":{}}}}',
  ]);
  expect(life.apply('b', { spec: { m: { j: 'w' } } })[1]).toBe('b {"f:spec":{".":{},"f:m":{".":{},"f:j":{}}}}');
  expect(life.apply('b', { spec: { l: [{ name: 'y' }] } })).toEqual([
    'Apply failed with 1 conflict: conflict with "a": .spec.l',
  ]);
  life.apply('a', { spec: { a: 1 } });
  expect(life.live?.spec).toEqual({ a: 1, m: { j: 'w' } });
  expect(life.live?.other).toBeUndefined();
  life.apply('a', { spec: { a: null } });
  expect(life.live?.spec).toEqual({ a: null, m: { j: 'w' } });
  expect(life.apply('a', { spec: { e: {}, el: [] } })[0]).toBe('a {"f:spec":{".":{},"f:e":{},"f:el":{}}}');
  expect(life.live?.spec).toEqual({ e: {}, el: [], m: { j: 'w' } });
  expect(life.apply('a', { metadata: { name: 'x', zz: 1 } })).toEqual([
    'failed to create typed patch object (/x; sea/v1, Kind=Raft): .metadata.zz: field not declared in schema',
  ]);
});
