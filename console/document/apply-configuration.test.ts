import { describe, expect, it } from 'vitest';
import { applyConfiguration } from './apply-configuration.ts';
import { conflictsOf, findField, withoutField } from './conflicts.ts';
import { formatPath } from './path.ts';
import { Schemas } from './schema.ts';

const string = { type: 'string' };
const container = {
  type: 'object',
  properties: { name: string, image: string, args: { type: 'array', items: string } },
};
const root = {
  type: 'object',
  properties: {
    metadata: { type: 'object', additionalProperties: true },
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        containers: {
          type: 'array',
          items: container,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
        },
        selector: { type: 'object', additionalProperties: string, 'x-kubernetes-map-type': 'atomic' },
      },
    },
  },
};
const schema = { schemas: new Schemas({}), root };

const live = {
  apiVersion: 'x/v1',
  kind: 'X',
  metadata: {
    name: 'a',
    namespace: 'b',
    resourceVersion: '7',
    managedFields: [
      { manager: 'me', operation: 'Apply', fieldsV1: { 'f:metadata': { 'f:labels': { 'f:mine': {} } } } },
      { manager: 'other', operation: 'Update', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
    ],
    labels: { mine: '1', other: '2' },
  },
  spec: {
    replicas: 1,
    selector: { a: '1', b: '2' },
    containers: [
      { name: 'web', image: 'one', args: ['x', 'y'] },
      { name: 'side', image: 'two' },
    ],
  },
};
const identity = { apiVersion: 'x/v1', kind: 'X' };
const own = { metadata: { name: 'a', namespace: 'b', labels: { mine: '1' } } };

function edit(change: (object: typeof live) => void) {
  const edited = structuredClone(live);
  change(edited);
  const { object, removed } = applyConfiguration({ live, edited, manager: 'me', schema });
  return { object, removed: removed.map(formatPath) };
}

describe('applyConfiguration', () => {
  it('keeps only what the manager owns if nothing changed', () => {
    expect(edit(() => undefined)).toEqual({ object: { ...identity, ...own }, removed: [] });
  });

  it.each<[string, (object: typeof live) => void, object]>([
    ['a field', ({ spec }) => void Object.assign(spec, { replicas: 3 }), { replicas: 3 }],
    [
      'a field of an item',
      ({ spec }) => void Object.assign(spec.containers[0]!, { image: 'x' }),
      { containers: [{ name: 'web', image: 'x' }] },
    ],
    [
      'a list in an item',
      ({ spec }) => void spec.containers[0]!.args!.push('z'),
      { containers: [{ name: 'web', args: ['x', 'y', 'z'] }] },
    ],
    [
      'a new item',
      ({ spec }) => void spec.containers.push({ name: 'n', image: 'i' }),
      { containers: [{ name: 'n', image: 'i' }] },
    ],
    ['an atomic map', ({ spec }) => void Object.assign(spec.selector, { b: '3' }), { selector: { a: '1', b: '3' } }],
    ['the order of items', ({ spec }) => void spec.containers.reverse(), {}],
  ])('sends %s', (_, change, spec) => {
    const { object, removed } = edit(change);
    expect(object).toEqual({ ...identity, ...own, ...(Object.keys(spec).length > 0 && { spec }) });
    expect(removed).toEqual([]);
  });

  it('lets go of what the manager alone owned', () => {
    const { object, removed } = edit(({ metadata }) => void delete (metadata.labels as Record<string, string>).mine);
    expect(object).toEqual({ ...identity, metadata: { name: 'a', namespace: 'b' } });
    expect(removed).toEqual([]);
  });

  it('tells what applying cannot remove', () => {
    const { removed } = edit(({ spec, metadata }) => {
      delete (spec as { replicas?: number }).replicas;
      delete (metadata.labels as Record<string, string>).other;
      spec.containers.pop();
    });
    expect(removed.sort()).toEqual(['.metadata.labels.other', '.spec.containers[1]', '.spec.replicas']);
  });
});

describe('conflicts', () => {
  it('are read from the causes', () => {
    const causes = [
      { reason: 'FieldManagerConflict', message: 'conflict with "kubectl" using apps/v1', field: '.spec.replicas' },
      { reason: 'FieldValueInvalid', message: 'x', field: 'y' },
    ];
    expect(conflictsOf(causes)).toEqual([{ manager: 'kubectl', field: '.spec.replicas' }]);
  });

  it.each([
    ['.spec.replicas', ['spec', 'replicas']],
    ['.metadata.labels.a.b/c', ['metadata', 'labels', 'a.b/c']],
    ['.spec.containers[name="we]b"].image', ['spec', 'containers', 1, 'image']],
    ['.spec.ports[port=80,protocol="TCP"].name', ['spec', 'ports', 0, 'name']],
    ['.metadata.finalizers[="x"]', ['metadata', 'finalizers', 0]],
    ['.spec.missing', undefined],
    ['.spec.containers[name="none"].image', undefined],
  ])('%s is found', (field, path) => {
    const object = {
      metadata: { labels: { a: '1', 'a.b/c': '2' }, finalizers: ['x'] },
      spec: {
        replicas: 1,
        containers: [{ name: 'a' }, { name: 'we]b', image: 'x' }],
        ports: [{ port: 80, protocol: 'TCP', name: 'p' }],
      },
    };
    expect(findField(object, field)).toEqual(path);
  });

  it('can be left out', () => {
    const object = { a: [{ b: 1, c: 2 }, { d: 3 }], e: 4 };
    expect(withoutField(object, ['a', 0, 'c'])).toEqual({ a: [{ b: 1 }, { d: 3 }], e: 4 });
    expect(withoutField(object, ['a', 1])).toEqual({ a: [{ b: 1, c: 2 }], e: 4 });
    expect(object.a).toHaveLength(2);
  });
});
