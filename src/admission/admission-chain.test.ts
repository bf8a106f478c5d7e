import { describe, expect, it } from 'vitest';
import type { ObjectReader } from '../meta/object-reader.ts';
import { forbidden } from '../meta/status-error.ts';
import { AdmissionChain } from './admission-chain.ts';
import type { AdmissionPlugin, AdmissionRule } from './admission-plugin.ts';
import type { AdmissionOperation, AdmissionRequest } from './admission-request.ts';
import { testRequest, testTarget } from './test-request.conformance.ts';

const nothing: ObjectReader = { get: () => undefined, list: () => [] };

/** `path`: `group/resource[/subresource]`. */
const request = (operation: AdmissionOperation, path: string): AdmissionRequest =>
  testRequest(testTarget(path), { operation });

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
  const admissionRequest = request(operation, path);
  expect(chain.concerns(operation, admissionRequest.target)).toBe(expected.length > 0);
  await chain.validate(admissionRequest);
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

describe('mutation', () => {
  const target = testTarget('/pods');
  const plugin = (name: string, mutate: NonNullable<AdmissionPlugin['mutate']>): AdmissionPlugin => ({
    name,
    rules: [rule(['CREATE'], '/pods')],
    mutate,
  });

  it('hands an object that takes the place of another to the next plugin, and returns it', async () => {
    const seen: unknown[] = [];
    const chain = new AdmissionChain(
      [
        plugin('in place', ({ object }) => {
          object.first = true;
        }),
        plugin('replaced', async ({ object }) => ({ ...object, second: true })),
        plugin('last', ({ object }) => void seen.push(object)),
      ],
      nothing,
    );
    const result = await chain.mutate(testRequest(target));
    expect(result).toEqual({ metadata: {}, first: true, second: true });
    expect(seen).toEqual([result]);
  });

  it('runs a second time when a plugin asks for it, and not a third time', async () => {
    const runs: unknown[] = [];
    const chain = new AdmissionChain(
      [
        plugin('first', ({ object }, _objects, { isReinvocation }) => void runs.push([isReinvocation, object.n])),
        plugin('second', ({ object }, _objects, pass) => {
          pass.memory.set('second', pass.isReinvocation);
          pass.reinvoke();
          return { ...object, n: Number(object.n ?? 0) + 1 };
        }),
      ],
      nothing,
    );
    expect(await chain.mutate(testRequest(target))).toMatchObject({ n: 2 });
    expect(runs).toEqual([
      [false, undefined],
      [true, 1],
    ]);
  });

  it('leaves out plugins that do not handle the request at present', async () => {
    let isOn = false;
    const chain = new AdmissionChain(
      [{ ...plugin('dynamic', ({ object }) => ({ ...object, isOn })), handles: () => isOn }],
      nothing,
    );
    expect(chain.concerns('CREATE', target)).toBe(false);
    expect(await chain.mutate(testRequest(target))).toEqual({ metadata: {} });
    isOn = true;
    expect(chain.concerns('CREATE', target)).toBe(true);
    expect(await chain.mutate(testRequest(target))).toEqual({ metadata: {}, isOn: true });
  });

  it('is explained to those who may know', async () => {
    const steps: unknown[] = [];
    const chain = new AdmissionChain(
      [
        plugin('nothing', () => {}),
        plugin('label', ({ object }) => {
          object.metadata.labels = { a: 'b' };
        }),
        plugin('denies', (request) => {
          throw forbidden(request.resource, request.name, 'no');
        }),
      ],
      nothing,
    );
    await expect(chain.mutate(testRequest(target, { explain: (step) => steps.push(step) }))).rejects.toThrow('no');
    expect(steps).toEqual([
      { plugin: 'label', phase: 'mutate', patch: [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }] },
      { plugin: 'denies', phase: 'mutate', denied: 'pods "a" is forbidden: no' },
    ]);
  });
});
