import { describe, expect, it } from 'vitest';
import { Correspondence } from './correspondence.ts';

const object = (fields: object, metadata: object = {}) => ({ kind: 'A', metadata, ...fields });

describe('what corresponds', () => {
  it.each<[string, unknown, unknown, string[]]>([
    ['equal values', object({ spec: { a: [1] } }), object({ spec: { a: [1] } }), []],
    ['other values', object({ spec: { a: [1] } }), object({ spec: { a: [2] } }), ['.spec.a.0']],
    ['missing fields', object({ a: 1 }), object({}), ['.a']],
    ['further fields', object({}), object({ a: null }), ['.a']],
    ['longer lists', [1], [1, 2], ['.1']],
    [
      'versions and uids',
      object({}, { uid: 'u', resourceVersion: '1' }),
      object({}, { uid: 'x', resourceVersion: '7' }),
      [],
    ],
    [
      'times',
      object({}, { creationTimestamp: '2020-01-01T00:00:00Z' }),
      object({}, { creationTimestamp: '2026-01-01T10:00:00Z' }),
      [],
    ],
    ['a time and a text', { at: '2020-01-01T00:00:00Z' }, { at: 'now' }, ['.at']],
    [
      'a version and none',
      object({}, { resourceVersion: '1' }),
      object({}, { resourceVersion: '' }),
      ['.metadata.resourceVersion'],
    ],
    ['what was redacted', { data: { a: '<redacted>' } }, { data: { a: 'eA==' } }, []],
    ['text', '404 page not found\n', '404 page not found\n', []],
    ['nothing', undefined, undefined, []],
  ])('%s', (_, recorded, got, paths) => {
    expect(new Correspondence().compare(recorded, got).map(({ path }) => path)).toEqual(paths);
  });

  it('is the same every time, in both directions', () => {
    const known = new Correspondence();
    const versions = (...all: string[]) => all.map((resourceVersion) => ({ resourceVersion }));
    expect(known.compare(versions('1', '2', '1'), versions('10', '20', '10'))).toEqual([]);
    expect(known.compare(versions('1'), versions('20'))).toHaveLength(1);
    expect(known.compare(versions('3'), versions('10'))).toHaveLength(1);
  });

  it('is used in later requests', () => {
    const known = new Correspondence();
    const made = (name: string, resourceVersion: string, uid: string) => ({
      metadata: { generateName: 'a-', name, resourceVersion, uid },
    });
    expect(known.compare(made('a-x', '1', 'uid-1'), made('a-y', '7', 'uid-2'))).toEqual([]);
    expect(known.compare({ metadata: { continue: 'c/1=' } }, { metadata: { continue: 'd/2=' } })).toEqual([]);
    expect(known.path('/api/v1/pods/a-x/status?resourceVersion=1&continue=c%2F1%3D&watch')).toBe(
      '/api/v1/pods/a-y/status?resourceVersion=7&continue=d%2F2%3D&watch',
    );
    expect(
      known.body({ ownerReferences: [{ name: 'a-x', uid: 'uid-1' }], metadata: { resourceVersion: '1' } }),
    ).toEqual({
      ownerReferences: [{ name: 'a-y', uid: 'uid-2' }],
      metadata: { resourceVersion: '7' },
    });
    const patch = (version: string) => [{ op: 'replace', path: '/metadata/resourceVersion', value: version }];
    expect(known.body(patch('1'))).toEqual(patch('7'));
    expect(known.compare('pods "a-x" of uid-1 not found', 'pods "a-y" of uid-2 not found')).toEqual([]);
  });

  it('leaves out what is ignored', () => {
    const known = new Correspondence(['spec.clusterIP', 'managedFields', 'items.*.status']);
    const service = (ip: string) => ({
      spec: { clusterIP: ip },
      metadata: { managedFields: [ip] },
      items: [{ status: ip }],
    });
    expect(known.compare(service('a'), service('b'))).toEqual([]);
    expect(known.compare({ spec: { clusterIPs: 'a' } }, { spec: { clusterIPs: 'b' } })).toHaveLength(1);
  });

  it('sends something valid for redacted secrets', () => {
    const secret = { kind: 'Secret', data: { a: '<redacted>', b: null } };
    expect(new Correspondence().body(secret)).toEqual({ kind: 'Secret', data: { a: 'cmVkYWN0ZWQ=', b: null } });
  });
});
