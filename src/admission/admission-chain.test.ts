import { expect, it } from 'vitest';
import type { ObjectReader } from '../meta/object-reader.ts';
import { serverUser } from '../meta/user.ts';
import { AdmissionChain } from './admission-chain.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission-plugin.ts';

const nothing: ObjectReader = { get: () => undefined, list: () => [] };

function chainOf(seen: string[], ...plugins: [name: string, ...resources: string[]][]): AdmissionChain {
  const made = plugins.map(
    ([name, ...resources]): AdmissionPlugin => ({ name, resources, validate: () => void seen.push(name) }),
  );
  return new AdmissionChain(made, nothing);
}

function request(group: string, resource: string, subresource = ''): AdmissionRequest {
  const object = { metadata: {} };
  const about = { group, version: 'v1', resource, subresource, namespace: 'a', name: 'a' };
  return { ...about, operation: 'CREATE', object, stored: undefined, user: serverUser, dryRun: false, warn: () => {} };
}

it.each([
  [request('', 'pods'), ['first', 'all', 'last']],
  [request('', 'pods', 'resize'), ['last']],
  [request('', 'pods', 'status'), []],
  [request('apps', 'pods'), ['all']],
  [request('', 'secrets'), ['all']],
])('asks those who are concerned, in their order: $group/$resource/$subresource', async (about, expected) => {
  const seen: string[] = [];
  const chain = chainOf(seen, ['first', '/pods'], ['all', '*'], ['last', '/pods', '/pods/resize']);
  await chain.validate(about);
  expect(seen).toEqual(expected);
});

it('asks before a deletion only who wants to be asked', async () => {
  const seen: string[] = [];
  const plugin = (name: string, resources: string[], more: Partial<AdmissionPlugin> = {}): AdmissionPlugin => ({
    name,
    resources,
    mutate: () => void seen.push(`${name} mutate`),
    validate: async () => void seen.push(`${name} validate`),
    ...more,
  });
  const admitsDeletes = true;
  const chain = new AdmissionChain(
    [
      plugin('all', ['*']),
      plugin('pods', ['/pods']),
      plugin('a', ['/pods'], { admitsDeletes }),
      plugin('b', ['/pods'], { admitsDeletes }),
    ],
    nothing,
  );
  expect(chain.concerns({ group: '', resource: 'pods' }, 'DELETE')).toBe(true);
  expect(chain.concerns({ group: '', resource: 'secrets' }, 'DELETE')).toBe(false);
  await chain.admitDelete({ ...request('', 'pods'), operation: 'DELETE' });
  expect(seen).toEqual(['a mutate', 'b mutate', 'a validate', 'b validate']);
  seen.length = 0;
  await chain.admitDelete({ ...request('', 'secrets'), operation: 'DELETE' });
  expect(seen).toEqual([]);
});

it('knows whom changes concern', () => {
  const chain = chainOf([], ['all', '*'], ['last', '/pods/resize']);
  expect(chain.concerns({ group: '', resource: 'secrets' })).toBe(true);
  expect(chain.concerns({ group: '', resource: 'secrets' }, 'UPDATE')).toBe(false);
  expect(chain.concerns({ group: '', resource: 'pods' }, 'UPDATE')).toBe(true);
  expect(chainOf([], ['last', '/pods']).concerns({ group: '', resource: 'secrets' })).toBe(false);
});
