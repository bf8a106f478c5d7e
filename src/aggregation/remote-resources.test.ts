import { describe, expect, it } from 'vitest';
import { aggregatedResources, legacyResources } from './remote-resources.ts';

const gv = { group: 'g', version: 'v1' };
const list = (resources: unknown, group: unknown = 'g', version: unknown = 'v1') => ({
  items: [{ metadata: { name: group }, versions: [{ version, resources }] }],
});
const entry = { resource: 'apples', scope: 'Namespaced', singularResource: 'apple', verbs: ['get'] };

describe('an aggregated list', () => {
  it('is read without what is not known', () => {
    const responseKind = { group: 'g', version: 'v1', kind: 'Apple', more: 1 };
    expect(aggregatedResources(list([{ ...entry, responseKind, shortNames: [], x: { y: 1 } }]), gv)).toEqual([
      { ...entry, responseKind: { group: 'g', version: 'v1', kind: 'Apple' } },
    ]);
  });

  it('says nothing about other group versions', () => {
    expect(aggregatedResources(list([entry], 'h'), gv)).toEqual([]);
    expect(aggregatedResources(list([entry], 'g', 'v2'), gv)).toEqual([]);
    expect(aggregatedResources({}, gv)).toEqual([]);
  });

  it.each([
    ['no object', 7],
    ['items that are no list', { items: {} }],
    ['an item that is no object', { items: ['x'] }],
    ['a resource without a name', list([{ ...entry, resource: '' }])],
    ['a name that is no text', list([{ ...entry, resource: 1 }])],
    ['a long text', list([{ ...entry, singularResource: 'x'.repeat(2000) }])],
    ['a verb that is no text', list([{ ...entry, verbs: [{}] }])],
    ['many verbs', list([{ ...entry, verbs: Array.from({ length: 200 }, String) }])],
    ['many resources', list(Array.from({ length: 3000 }, () => entry))],
    ['a kind that is no object', list([{ ...entry, responseKind: 'Apple' }])],
  ])('is refused: %s', (_what, document) => {
    expect(() => aggregatedResources(document, gv)).toThrow(TypeError);
  });
});

describe('a list of the older form', () => {
  it('has subresources below their resources, in any order', () => {
    const resources = [
      { name: 'apples/status', singularName: '', namespaced: true, kind: 'Apple', verbs: ['get'] },
      { name: 'apples', singularName: 'apple', namespaced: true, kind: 'Apple', verbs: ['list'], categories: ['all'] },
      {
        name: 'trees/scale',
        singularName: '',
        namespaced: false,
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
        verbs: ['get'],
      },
    ];
    const apple = { group: '', version: '', kind: 'Apple' };
    expect(legacyResources({ resources })).toEqual([
      {
        resource: 'apples',
        responseKind: apple,
        scope: 'Namespaced',
        singularResource: 'apple',
        verbs: ['list'],
        categories: ['all'],
        subresources: [{ subresource: 'status', responseKind: apple, verbs: ['get'] }],
      },
      {
        resource: 'trees',
        scope: 'Cluster',
        singularResource: '',
        verbs: [],
        subresources: [
          {
            subresource: 'scale',
            responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
            verbs: ['get'],
          },
        ],
      },
    ]);
  });
});
