import { describe, expect, test } from 'vitest';
import { fieldErrorText } from './field-error.ts';
import type { ObjectMeta } from './object.ts';
import { validateCommonUpdate, validateObjectMeta, validateObjectMetaUpdate } from './validate-object-meta.ts';

const good: ObjectMeta = {
  name: 'n',
  namespace: 'ns',
  uid: 'u',
  creationTimestamp: '2024-01-01T00:00:00Z',
  generation: 2,
};
const rules = { namespaced: true, nameRule: 'dnsSubdomain' } as const;
const created = (meta: ObjectMeta, options: Partial<Parameters<typeof validateObjectMeta>[1]> = {}) =>
  validateObjectMeta(meta, { ...rules, ...options }).map(fieldErrorText);
const updated = (next: Partial<ObjectMeta>, previous: Partial<ObjectMeta> = {}) =>
  validateObjectMetaUpdate({ ...good, ...next }, { ...good, ...previous }).map(fieldErrorText);

describe('a new object', () => {
  test('is accepted when valid', () => {
    const meta: ObjectMeta = {
      ...good,
      generateName: 'n-',
      labels: { 'a.b/c': 'D' },
      annotations: { 'A.B/c': 'anything at all' },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid: '1', controller: true }],
      finalizers: ['a.b/c', 'orphan', 'kubernetes'],
      managedFields: [{ manager: 'm', operation: 'Apply', fieldsType: 'FieldsV1' }],
    };
    expect(created(meta)).toEqual([]);
  });

  test.each<[string, Partial<ObjectMeta>, string]>([
    ['no name', { name: undefined }, 'metadata.name: Required value: name or generateName is required'],
    ['an empty name', { name: '' }, 'metadata.name: Required value: name or generateName is required'],
    ['no namespace', { namespace: undefined }, 'metadata.namespace: Required value'],
    ['a namespace with dots', { namespace: 'a.b' }, 'metadata.namespace: Invalid value: "a.b": must not contain dots'],
    [
      'a negative generation',
      { generation: -1 },
      'metadata.generation: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'both ways to treat dependents',
      { finalizers: ['orphan', 'foregroundDeletion'] },
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ],
    [
      'a bare finalizer',
      { finalizers: ['a.b/c', 'x'] },
      'metadata.finalizers[1]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
    ],
    [
      'too many annotations',
      { annotations: { a: 'x'.repeat(256 * 1024) } },
      'metadata.annotations: Too long: may not be more than 262144 bytes',
    ],
    [
      'long annotations in few characters',
      { annotations: { a: '€'.repeat(88 * 1024) } },
      'metadata.annotations: Too long: may not be more than 262144 bytes',
    ],
    [
      'an event as owner',
      { ownerReferences: [{ uid: '1', name: 'x', kind: 'Event', apiVersion: 'v1' }] },
      'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"x","uid":"1"}: /v1, Kind=Event is disallowed from being an owner',
    ],
    [
      'an unknown operation',
      { managedFields: [{ operation: 'Delete' }] },
      'metadata.managedFields[0].operation: Invalid value: "Delete": must be `Apply` or `Update`',
    ],
    [
      'an unknown form of fields',
      { managedFields: [{ operation: 'Apply', fieldsType: 'V2' }] },
      'metadata.managedFields[0].fieldsType: Invalid value: "V2": must be `FieldsV1`',
    ],
    [
      'a long subresource',
      { managedFields: [{ operation: 'Apply', subresource: 'x'.repeat(257) }] },
      'metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes',
    ],
  ])('%s', (_case, change, text) => {
    expect(created({ ...good, ...change })).toEqual([text]);
  });

  test('annotations may reach the size limit', () => {
    expect(created({ ...good, annotations: { a: 'x'.repeat(256 * 1024 - 1) } })).toEqual([]);
    expect(created({ ...good, annotations: { a: '€'.repeat(87_381) } })).toEqual([]);
  });

  test('two controllers are refused', () => {
    const reference = (kind: string, uid: string) => ({ apiVersion: 'v1', kind, name: 'x', uid, controller: true });
    expect(created({ ...good, ownerReferences: [reference('A', '1'), reference('B', '2')] })).toEqual([
      'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"A","name":"x","uid":"1","controller":true},' +
        '{"apiVersion":"v1","kind":"B","name":"x","uid":"2","controller":true}]: Only one reference can have Controller ' +
        'set to true. Found "true" in references for A/x and B/x',
    ]);
  });

  test('every empty field of an owner reference is reported', () => {
    expect(
      created({ ...good, ownerReferences: [{} as never, { apiVersion: 'a/b/c', kind: 'K', name: 'n', uid: 'u' }] }),
    ).toEqual([
      'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
      'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
      'metadata.ownerReferences.name: Invalid value: "": must not be empty',
      'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
      'metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
    ]);
  });

  test('an invalid generateName and the generated name are both reported', () => {
    const fields = validateObjectMeta({ ...good, generateName: 'Bad_', name: 'Bad_x' }, rules).map(
      ({ field }) => field,
    );
    expect(fields).toEqual(['metadata.generateName', 'metadata.name']);
  });

  test('a cluster-scoped type has no namespace', () => {
    expect(created(good, { namespaced: false })).toEqual(['metadata.namespace: Forbidden: not allowed on this type']);
    expect(created({ name: 'n' }, { namespaced: false })).toEqual([]);
  });

  test('the name follows the rule of the type', () => {
    expect(created({ ...good, name: 'a.b' }, { nameRule: 'dnsLabel' })).toEqual([
      'metadata.name: Invalid value: "a.b": must not contain dots',
    ]);
    expect(created({ ...good, name: 'A:b' }, { nameRule: 'pathSegment' })).toEqual([]);
    expect(created(good, { nameRule: () => ['wrong'] })).toEqual(['metadata.name: Invalid value: "n": wrong']);
  });

  test('custom resources may have finalizers without a domain', () => {
    expect(created({ ...good, finalizers: ['x'] }, { finalizers: 'any' })).toEqual([]);
    expect(created({ ...good, finalizers: ['a b'] }, { finalizers: 'any' })).toHaveLength(1);
  });

  test('errors are in the same order as in Kubernetes', () => {
    const meta: ObjectMeta = {
      finalizers: ['bare', '-'],
      ownerReferences: [{} as never],
      annotations: { '-': '' },
      labels: { '-': '-' },
      generation: -1,
    };
    expect(validateObjectMeta(meta, rules).map(({ field }) => field.replace('metadata.', ''))).toEqual([
      'name',
      'namespace',
      'generation',
      'labels',
      'labels',
      'annotations',
      'ownerReferences.apiVersion',
      'ownerReferences.kind',
      'ownerReferences.name',
      'ownerReferences.uid',
      'finalizers',
      'finalizers[0]',
      'finalizers[1]',
    ]);
  });
});

describe('an update', () => {
  test('may change mutable fields', () => {
    expect(updated({ labels: { a: 'b' }, finalizers: ['a.b/c'], generation: 3 })).toEqual([]);
  });

  test.each<[string, Partial<ObjectMeta>, string]>([
    ['the name', { name: 'm' }, 'metadata.name: Invalid value: "m": field is immutable'],
    ['the namespace', { namespace: undefined }, 'metadata.namespace: Invalid value: "": field is immutable'],
    ['the uid', { uid: 'v' }, 'metadata.uid: Invalid value: "v": field is immutable'],
    [
      'the creation time',
      { creationTimestamp: undefined },
      'metadata.creationTimestamp: Invalid value: null: field is immutable',
    ],
    [
      'the deletion time',
      { deletionTimestamp: '2001-01-01T00:00:00Z' },
      'metadata.deletionTimestamp: Invalid value: "2001-01-01T00:00:00Z": field is immutable',
    ],
    [
      'the grace period',
      { deletionGracePeriodSeconds: 0 },
      'metadata.deletionGracePeriodSeconds: Invalid value: 0: field is immutable',
    ],
    ['the generation backwards', { generation: 1 }, 'metadata.generation: Invalid value: 1: must not be decremented'],
  ])('cannot change %s', (_case, next, text) => {
    expect(updated(next)).toEqual([text]);
  });

  test('the same instant may have another spelling', () => {
    expect(updated({ creationTimestamp: '2024-01-01T01:00:00+01:00' })).toEqual([]);
  });

  test('finalizers can only be removed while the object is being deleted', () => {
    const deletionTimestamp = '2024-01-02T00:00:00Z';
    const previous = { deletionTimestamp, finalizers: ['a/a', 'a/b'] };
    expect(updated({ deletionTimestamp, finalizers: ['a/b'] }, previous)).toEqual([]);
    expect(updated({ deletionTimestamp, finalizers: ['a/d', 'a/a', 'a/c'] }, previous)).toEqual([
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a/c", "a/d"}',
    ]);
  });

  test('finalizers without a domain are refused unless the type allows any', () => {
    expect(updated({ finalizers: ['x'] })).toHaveLength(1);
    expect(validateObjectMetaUpdate({ ...good, finalizers: ['x'] }, good, { finalizers: 'any' })).toEqual([]);
  });

  test('common checks come before those of the type', () => {
    const next = { ...good, uid: 'v', finalizers: ['-'] };
    const common = validateCommonUpdate(next, good, { namespaced: true }).map(({ field }) => field);
    expect(common).toEqual(['metadata.finalizers', 'metadata.uid']);
  });

  test('an unchanged name is accepted whatever rule it follows', () => {
    const named = { ...good, name: 'A:b' };
    expect(validateCommonUpdate(named, named, { namespaced: true })).toEqual([]);
  });
});
