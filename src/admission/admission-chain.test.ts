import { expect, it } from 'vitest';
import type { ObjectReader } from '../meta/object-reader.ts';
import { serverUser } from '../meta/user.ts';
import { AdmissionChain } from './admission-chain.ts';
import type { AdmissionPlugin, AdmissionRule } from './admission-plugin.ts';
import type { AdmissionOperation, AdmissionRequest } from './admission-request.ts';

const nothing: ObjectReader = { get: () => undefined, list: () => [] };

/** `path`: `group/resource[/subresource]`. */
function request(operation: AdmissionOperation, path: string): AdmissionRequest {
  const [group = '', resource = '', subresource = ''] = path.split('/');
  const version = 'v1';
  return {
    operation,
    kind: { group, version, kind: 'Some' },
    resource: { group, version, resource },
    subresource,
    namespace: 'a',
    name: 'a',
    object: { metadata: {} },
    oldObject: undefined,
    user: serverUser,
    dryRun: false,
    warn: () => {},
  };
}

const rule = (operations: AdmissionOperation[], ...resources: string[]): AdmissionRule => ({ operations, resources });

function chainOf(seen: string[]): AdmissionChain {
  const plugin = (name: string, ...rules: AdmissionRule[]): AdmissionPlugin => ({
    name,
    rules,
    validate: () => void seen.push(name),
  });
  return new AdmissionChain(
    [
      plugin('first', rule(['CREATE', 'UPDATE'], '/pods')),
      plugin('main', rule(['CREATE'], '*')),
      plugin('all', rule(['CREATE'], '*/*'), rule(['DELETE'], '/namespaces')),
      plugin('last', rule(['CREATE', 'UPDATE', 'DELETE'], '/pods', '/pods/resize')),
    ],
    nothing,
  );
}

it.each([
  ['CREATE', '/pods', ['first', 'main', 'all', 'last']],
  ['CREATE', '/pods/binding', ['all']],
  ['CREATE', 'apps/pods', ['main', 'all']],
  ['UPDATE', '/pods', ['first', 'last']],
  ['UPDATE', '/pods/resize', ['last']],
  ['UPDATE', '/pods/status', []],
  ['UPDATE', '/secrets', []],
  ['DELETE', '/pods', ['last']],
  ['DELETE', '/namespaces', ['all']],
  ['DELETE', 'apps/namespaces', []],
] as const)('asks who has a rule for it, in their order: %s %s', async (operation, path, expected) => {
  const seen: string[] = [];
  const chain = chainOf(seen);
  const asked = request(operation, path);
  expect(chain.concerns(operation, asked)).toBe(expected.length > 0);
  await chain.validate(asked);
  expect(seen).toEqual(expected);
});

it('runs mutate of all plugins before validate of any', async () => {
  const seen: string[] = [];
  const plugin = (name: string): AdmissionPlugin => ({
    name,
    rules: [rule(['DELETE'], '/pods')],
    mutate: () => void seen.push(`${name} mutate`),
    validate: async () => void seen.push(`${name} validate`),
  });
  await new AdmissionChain([plugin('a'), plugin('b')], nothing).admit(request('DELETE', '/pods'));
  expect(seen).toEqual(['a mutate', 'b mutate', 'a validate', 'b validate']);
});
