import { describe, expect, test } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import { ScriptedObject } from './conformance/script.conformance.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const lastApplied = (spec: object, rest: object = {}) =>
  JSON.stringify({ apiVersion: 'sea/v1', kind: 'Ship', metadata: { name: 'x' }, spec, ...rest });

/** An object that was applied on the client's side. */
function migrating(spec: object, text = lastApplied(spec)): ScriptedObject {
  const object = new ScriptedObject();
  object.put('kubectl-client-side-apply', { metadata: { annotations: { [annotation]: text } }, spec });
  return object;
}

const annotationOf = ({ live }: ScriptedObject) => (live as ResourceObject).metadata.annotations?.[annotation];

describe('a manager that used client-side apply', () => {
  test('can change the fields that it had set', () => {
    const object = migrating({ name: 'n', size: 1 });
    expect(object.apply('kubectl', { spec: { name: 'm', size: 1 } })).toBe(
      `kubectl: .spec.name .spec.size; kubectl-client-side-apply*: .metadata.annotations .metadata.annotations.${annotation} .spec.class .spec.size`,
    );
    expect(object.live?.spec).toMatchObject({ name: 'm', size: 1 });
  });

  test('has a conflict for fields that others have changed since', () => {
    const object = migrating({ name: 'n' });
    object.patch('someone', { spec: { name: 'm' } });
    expect(object.apply('kubectl', { spec: { name: 'o' } })).toBe('conflict someone*: .spec.name');
  });

  test('receives only the remaining conflicts', () => {
    const object = migrating({ name: 'n', size: 1 });
    object.patch('someone', { spec: { name: 'm' } });
    expect(object.apply('kubectl', { spec: { name: 'o', size: 2 } })).toBe('conflict someone*: .spec.name');
  });

  test.each([
    ['another version', lastApplied({ name: 'n' }, { apiVersion: 'sea/v0' })],
    ['invalid JSON', '{'],
    ['not an object', '[]'],
    ['nothing', ''],
  ])('has a conflict when the annotation contains: %s', (_title, text) => {
    expect(migrating({ name: 'n' }, text).apply('kubectl', { spec: { name: 'm' } })).toMatch(/^conflict/);
  });

  test('must be named kubectl', () => {
    expect(migrating({ name: 'n' }).apply('kubectl2', { spec: { name: 'm' } })).toMatch(/^conflict/);
  });
});

describe('the last-applied annotation', () => {
  test('contains the applied configuration with sorted keys', () => {
    const object = migrating({ name: 'n' });
    const metadata = { annotations: { [annotation]: 'old', z: '1' } };
    object.apply('kubectl', { spec: { size: 1, name: 'a<b' }, metadata }, { force: true });
    expect(annotationOf(object)).toBe(
      '{"apiVersion":"sea/v1","kind":"Ship","metadata":{"annotations":{"z":"1"},"name":"x"},"spec":{"name":"a\\u003cb","size":1}}\n',
    );
  });

  test('does not change when other managers apply', () => {
    const object = migrating({ name: 'n' });
    const before = annotationOf(object);
    object.apply('a', { spec: { size: 1 } });
    expect(annotationOf(object)).toBe(before);
  });

  test('is not added to an object without one', () => {
    const object = new ScriptedObject();
    object.apply('kubectl', { spec: { size: 1 } });
    expect(object.live?.metadata.annotations).toBeUndefined();
  });

  test('is removed when it becomes too large', () => {
    const object = migrating({ name: 'n' });
    object.apply('kubectl', { spec: { name: 'n'.repeat(256 * 1024) } });
    expect(annotationOf(object)).toBeUndefined();
  });

  test('causes no write when it is up to date', () => {
    const object = migrating({ name: 'n' });
    object.apply('kubectl', { spec: { name: 'm' } });
    const { writes } = object;
    object.apply('kubectl', { spec: { name: 'm' } });
    expect(object.writes).toBe(writes);
  });
});
