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

describe('who applied on the client side', () => {
  test('changes what it had set there', () => {
    const object = migrating({ name: 'n', size: 1 });
    expect(object.apply('kubectl', { spec: { name: 'm', size: 1 } })).toBe(
      `kubectl: .spec.name .spec.size; kubectl-client-side-apply*: .metadata.annotations .metadata.annotations.${annotation} .spec.class .spec.size`,
    );
    expect(object.live?.spec).toMatchObject({ name: 'm', size: 1 });
  });

  test('does not change what others have set since', () => {
    const object = migrating({ name: 'n' });
    object.patch('someone', { spec: { name: 'm' } });
    expect(object.apply('kubectl', { spec: { name: 'o' } })).toBe('conflict someone*: .spec.name');
  });

  test('is told only of the conflicts that remain', () => {
    const object = migrating({ name: 'n', size: 1 });
    object.patch('someone', { spec: { name: 'm' } });
    expect(object.apply('kubectl', { spec: { name: 'o', size: 2 } })).toBe('conflict someone*: .spec.name');
  });

  test.each([
    ['another version', lastApplied({ name: 'n' }, { apiVersion: 'sea/v0' })],
    ['no JSON', '{'],
    ['no object', '[]'],
    ['nothing', ''],
  ])('has no such right by %s', (_title, text) => {
    expect(migrating({ name: 'n' }, text).apply('kubectl', { spec: { name: 'm' } })).toMatch(/^conflict/);
  });

  test('has it under its own name alone', () => {
    expect(migrating({ name: 'n' }).apply('kubectl2', { spec: { name: 'm' } })).toMatch(/^conflict/);
  });
});

describe('the annotation', () => {
  test('says what was applied, with sorted keys', () => {
    const object = migrating({ name: 'n' });
    const metadata = { annotations: { [annotation]: 'old', z: '1' } };
    object.apply('kubectl', { spec: { size: 1, name: 'a<b' }, metadata }, { force: true });
    expect(annotationOf(object)).toBe(
      '{"apiVersion":"sea/v1","kind":"Ship","metadata":{"annotations":{"z":"1"},"name":"x"},"spec":{"name":"a\\u003cb","size":1}}\n',
    );
  });

  test('stays as it is when others apply', () => {
    const object = migrating({ name: 'n' });
    const before = annotationOf(object);
    object.apply('a', { spec: { size: 1 } });
    expect(annotationOf(object)).toBe(before);
  });

  test('is not made where there was none', () => {
    const object = new ScriptedObject();
    object.apply('kubectl', { spec: { size: 1 } });
    expect(object.live?.metadata.annotations).toBeUndefined();
  });

  test('is dropped when it gets too large', () => {
    const object = migrating({ name: 'n' });
    object.apply('kubectl', { spec: { name: 'n'.repeat(256 * 1024) } });
    expect(annotationOf(object)).toBeUndefined();
  });

  test('makes no write when it already says so', () => {
    const object = migrating({ name: 'n' });
    object.apply('kubectl', { spec: { name: 'm' } });
    const { writes } = object;
    object.apply('kubectl', { spec: { name: 'm' } });
    expect(object.writes).toBe(writes);
  });
});
