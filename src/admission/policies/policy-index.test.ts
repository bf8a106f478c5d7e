import { describe, expect, it } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectFollower } from '../../meta/object-follower.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import type { ObjectSource } from '../object-source.ts';
import { testRequest, testTarget } from '../test-request.conformance.ts';
import { matchRequest, namedSpec, PolicyIndex } from './policy-index.ts';
import type { BindingSpec, NamedSpec, PolicySpec } from './policy-objects.ts';

const policies = { group: 'g', version: 'v1', resource: 'policies' };
const bindings = { group: 'g', version: 'v1', resource: 'bindings' };
const noObjects: ObjectReader = { get: () => undefined, list: () => [] };

/** Returns an index, and functions that change the followed objects. */
async function followed() {
  const index = new PolicyIndex<NamedSpec<PolicySpec>, BindingSpec>({ policies, bindings, readPolicy: namedSpec });
  const followers = new Map<string, ObjectFollower>();
  const source: ObjectSource = {
    ...noObjects,
    async follow({ resource }, follower) {
      followers.set(resource, follower);
      follower.onReset();
      follower.onSynced?.();
    },
  };
  await index.follow(source, {
    onError: (error) => expect.unreachable(error.message),
    signal: new AbortController().signal,
  });
  const object = (name: string, spec: object = {}): ResourceObject => ({ metadata: { name }, spec });
  const changes = (resource: string) => ({
    put: (name: string, spec: object) => followers.get(resource)!.onPut(object(name, spec)),
    remove: (name: string) => followers.get(resource)!.onRemove(object(name)),
  });
  return { index, policies: changes('policies'), bindings: changes('bindings') };
}

const rule = (resources: string[], more = {}) => ({
  operations: ['CREATE'],
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources,
  ...more,
});
const forPods = { matchConstraints: { resourceRules: [rule(['pods'])] } };
const pods = testTarget('/pods');

describe('PolicyIndex', () => {
  it('finds policies by name, with their bindings by name', async () => {
    const { index, ...objects } = await followed();
    for (const name of ['b', 'a', 'unbound']) objects.policies.put(name, forPods);
    objects.policies.put('services', { matchConstraints: { resourceRules: [rule(['services'])] } });
    objects.bindings.put('y', { policyName: 'a' });
    objects.bindings.put('x', { policyName: 'a' });
    objects.bindings.put('z', { policyName: 'b' });
    objects.bindings.put('s', { policyName: 'services' });
    objects.bindings.put('dangling', { policyName: 'none' });
    const found = index
      .matching('CREATE', pods)
      .map(({ policy, bindings }) => [policy.name, ...bindings.map(({ binding }) => binding.name)]);
    expect(found).toEqual([
      ['a', 'x', 'y'],
      ['b', 'z'],
    ]);
    expect(index.matching('UPDATE', pods)).toEqual([]);
  });

  it('knows every change at once', async () => {
    const { index, ...objects } = await followed();
    const count = (): number => index.matching('CREATE', pods).length;
    const steps: [() => void, number][] = [
      [() => objects.bindings.put('b', { policyName: 'p' }), 0],
      [() => objects.policies.put('p', forPods), 1],
      [() => objects.bindings.put('b', { policyName: 'q' }), 0],
      [() => objects.bindings.put('b', { policyName: 'p' }), 1],
      [() => objects.policies.put('p', { matchConstraints: { resourceRules: [rule(['services'])] } }), 0],
      [() => objects.policies.put('p', forPods), 1],
      [() => objects.policies.remove('p'), 0],
    ];
    for (const [change, expected] of steps) {
      change();
      expect(count()).toBe(expected);
    }
  });

  it('needs the rules of a binding to match, unless the policy has parameters', async () => {
    const { index, ...objects } = await followed();
    objects.policies.put('p', forPods);
    objects.bindings.put('b', { policyName: 'p', matchResources: { resourceRules: [rule(['services'])] } });
    expect(index.matching('CREATE', pods)).toEqual([]);
    objects.policies.put('p', { ...forPods, paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } });
    expect(index.matching('CREATE', pods)).toMatchObject([{ policy: { name: 'p' }, bindings: [] }]);
  });

  it('ignores requests for the configuration of admission', async () => {
    const { index, ...objects } = await followed();
    objects.policies.put('p', { matchConstraints: { resourceRules: [rule(['*'])] } });
    objects.bindings.put('b', { policyName: 'p' });
    const target = (kind: string) => testTarget(`admissionregistration.k8s.io/${kind.toLowerCase()}s`, kind);
    expect(index.matching('CREATE', target('ValidatingAdmissionPolicyBinding'))).toEqual([]);
    expect(index.matching('CREATE', target('Other'))).toHaveLength(1);
  });
});

it.each([
  ['a', { app: 'web' }, true],
  ['b', { app: 'web' }, false],
  ['a', {}, false],
])('matches a request for %s with labels %j: %s', async (name, labels, matches) => {
  const { index, ...objects } = await followed();
  const matchConstraints = {
    resourceRules: [rule(['pods'], { resourceNames: ['a'] })],
    objectSelector: { matchLabels: { app: 'web' } },
  };
  objects.policies.put('p', { matchConstraints });
  objects.bindings.put('b', { policyName: 'p' });
  const [matching] = index.matching('CREATE', pods);
  const request = testRequest(pods, { name, object: { metadata: { name, labels } } });
  expect(await matchRequest(matching!, request, noObjects)).toBe(matches ? pods : undefined);
});
