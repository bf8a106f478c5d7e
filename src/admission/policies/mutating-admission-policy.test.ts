import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Authorizer } from '../../authz/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectFollower } from '../../meta/object-follower.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import type { AdmissionPlugin, MutationPass } from '../admission-plugin.ts';
import type { AdmissionRequest, AdmissionStep } from '../admission-request.ts';
import { mutateWith, testRequest, testTarget } from '../test-request.conformance.ts';
import { mutatingAdmissionPolicy } from './mutating-admission-policy.ts';

const namespace: ResourceObject = { metadata: { name: 'ns' } };
const objects: ObjectReader = { get: () => namespace, list: () => [] };
const allowing: Authorizer = { authorize: () => ({ decision: 'allow', reason: '' }) };
const everything = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };
const label = (value: string) => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression: `Object{metadata: Object.metadata{labels: {"by": ${value}}}}` },
});

interface Given {
  readonly mutations: readonly object[];
  readonly spec?: object;
  readonly authorizer?: Authorizer;
}

/** The plugin with one policy and its binding. */
async function plugin({ mutations, spec = {}, authorizer = allowing }: Given): Promise<AdmissionPlugin> {
  const made = mutatingAdmissionPolicy({ authorizer, kinds: { findKind: () => undefined } });
  const present: Readonly<Record<string, ResourceObject>> = {
    mutatingadmissionpolicies: {
      metadata: { name: 'p' },
      spec: { matchConstraints: { resourceRules: [everything] }, mutations, ...spec },
    },
    mutatingadmissionpolicybindings: { metadata: { name: 'b' }, spec: { policyName: 'p' } },
  };
  const follow = async ({ resource }: { resource: string }, follower: ObjectFollower): Promise<void> => {
    follower.onReset();
    follower.onPut(present[resource]!);
    follower.onSynced?.();
  };
  const options = { onError: () => expect.unreachable(), signal: new AbortController().signal };
  await made.follow!({ ...objects, follow }, options);
  return made;
}

const target = testTarget('/things');
const given = (request: Partial<AdmissionRequest> = {}): AdmissionRequest =>
  testRequest(target, { object: { metadata: { name: 'a' } }, ...request });

describe('a mutating policy', () => {
  it('explains what it changes', async () => {
    const steps: AdmissionStep[] = [];
    const object = await mutateWith(
      await plugin({ mutations: [label('"p"')] }),
      given({ explain: (step) => steps.push(step) }),
      objects,
    );
    expect(object.metadata.labels).toEqual({ by: 'p' });
    expect(steps).toEqual([
      {
        plugin: 'MutatingAdmissionPolicy',
        source: 'policy p, binding b',
        phase: 'mutate',
        patch: [{ op: 'add', path: '/metadata/labels', value: { by: 'p' } }],
      },
    ]);
  });

  it('explains why it rejects', async () => {
    const steps: AdmissionStep[] = [];
    const failing = await plugin({ mutations: [label('object.none')] });
    const rejected = mutateWith(failing, given({ explain: (step) => steps.push(step) }), objects);
    await expect(rejected).rejects.toThrow("policy 'p' with binding 'b' denied request: expression");
    expect(steps).toMatchObject([
      { source: 'policy p, binding b', denied: expect.stringContaining('no such key: none') },
    ]);
  });

  it('is synchronous unless something takes time', async () => {
    const made = await plugin({ mutations: [label('"p"')] });
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const pass: MutationPass = { isReinvocation: false, reinvoke: () => {}, memory: new Map() };
    expect(made.mutate!(given(), objects, pass)).toMatchObject({ metadata: { labels: { by: 'p' } } });
  });

  it('waits for the authorizer', async () => {
    const authorized: string[] = [];
    const authorizer: Authorizer = {
      authorize: async ({ verb }) => {
        authorized.push(verb);
        return { decision: 'allow', reason: 'because' };
      },
    };
    const expression = 'authorizer.group("").resource("pods").check("get").reason()';
    const object = await mutateWith(await plugin({ mutations: [label(expression)], authorizer }), given(), objects);
    expect(object.metadata.labels).toEqual({ by: 'because' });
    expect(authorized).toEqual(['get']);
  });

  it('asks for a second run when it has changed something', async () => {
    const runs = async (value: string): Promise<number> => {
      let requested = 0;
      const pass: MutationPass = { isReinvocation: false, reinvoke: () => requested++, memory: new Map() };
      const made = await plugin({ mutations: [label(value)] });
      await made.mutate!(given({ object: { metadata: { labels: { by: 'p' } } } }), objects, pass);
      return requested;
    };
    expect(await runs('"q"')).toBe(1);
    expect(await runs('"p"')).toBe(0);
  });

  it('leaves deletions alone', async () => {
    const oldObject: ResourceObject = { metadata: { name: 'a' } };
    const made = await plugin({ mutations: [label('"p"')] });
    const request = given({ operation: 'DELETE', object: oldObject, oldObject });
    expect(await mutateWith(made, request, objects)).toEqual({ metadata: { name: 'a' } });
  });

  it('does not spend more than its budget on variables', async () => {
    const digits = '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]';
    const costly = `${digits}.all(a, ${digits}.all(b, ${digits}.all(c, ${digits}.all(d, ${digits}.all(e, a + b + c + d + e >= 0)))))`;
    const variables = Array.from({ length: 40 }, (_, index) => ({ name: `v${index}`, expression: costly }));
    const sum = variables.map(({ name }) => `(variables.${name} || true)`).join(' && ');
    const made = await plugin({ mutations: [label(`string(${sum})`)], spec: { variables } });
    await expect(mutateWith(made, given(), objects)).rejects.toThrow('running out of cost budget');
  });

  it('is nothing for the configuration of admission', async () => {
    const made = await plugin({ mutations: [label('"p"')] });
    const path = 'admissionregistration.k8s.io/mutatingadmissionpolicies';
    expect(made.handles!('CREATE', testTarget(path, 'MutatingAdmissionPolicy'))).toBe(false);
    expect(made.handles!('CREATE', target)).toBe(true);
  });
});
