import { expect, it } from 'vitest';
import { AdmissionChain, type AdmissionPlugin } from '../../admission/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { serverUser } from '../../meta/user.ts';
import { builtInSet } from './built-in-set.conformance.ts';

const type = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
const item = { namespace: '', name: 'lamps.ex.io' };
const writer = { user: serverUser, fieldManager: 'server' };

const definition = (description: string): ResourceObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: item.name, annotations: { a: '<b>' } },
  spec: {
    group: 'ex.io',
    scope: 'Cluster',
    names: { plural: 'lamps', kind: 'Lamp' },
    versions: [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', description } } },
    ],
  },
});

/** The fields are in another order than the stored one. */
const status = {
  storedVersions: ['v1'],
  acceptedNames: { plural: 'lamps', kind: 'Lamp' },
  conditions: [
    { type: 'Established', status: 'True', reason: 'A', message: 'a', lastTransitionTime: '2026-01-02T03:04:05Z' },
  ],
};

async function served({ description = 'a', plugins = [] }: { description?: string; plugins?: AdmissionPlugin[] } = {}) {
  const set = builtInSet({ admission: (objects) => new AdmissionChain(plugins, objects) });
  await set.create(type, definition(description), { user: serverUser, fieldManager: 'creator' });
  const read = async () => (await set.get(type, item))!;
  const patch = async (object: ResourceObject, value: object): Promise<unknown> => {
    const version = { op: 'add', path: '/metadata/resourceVersion', value: object.metadata.resourceVersion };
    const body = Buffer.from(JSON.stringify([version, { op: 'add', path: '/status', value }]));
    const { patch: verb } = set.find(type)!.subresources.get('status')!;
    const how = { ...item, patchType: 'json', encoding: 'json', dryRun: false, fieldValidation: 'Strict' } as const;
    return verb!({ ...how, body, ...writer, warn: () => {} });
  };
  return { set, read, patch };
}

/** Returns the document without the values that differ between two servers. */
async function documentOf({ set }: Awaited<ReturnType<typeof served>>): Promise<string> {
  const document = String(await set.find(type)!.verbs.get!(item));
  return document.replace(/"uid":"[^"]*"/, '"uid"').replaceAll(/"(time|creationTimestamp)":"[^"]*"/g, '"$1"');
}

it.each([
  ['small', 'a < b'],
  ['large', 'ä < b "quoted" \\ '.repeat(2_000)],
])('writes the status of a %s object as a patch does', async (_size, description) => {
  const [written, patched] = [await served({ description }), await served({ description })];
  for (const next of [status, { ...status, conditions: [] }, status]) {
    await written.set.writeStatus(type, { object: await written.read(), status: next, ...writer });
    await patched.patch(await patched.read(), next);
    expect(await documentOf(written)).toBe(await documentOf(patched));
  }
  expect(await written.read()).toMatchObject({ metadata: { generation: 1 }, status });
});

it('does not change the object that the writer has read', async () => {
  const { set, read } = await served();
  const object = await read();
  const before = structuredClone(object);
  await set.writeStatus(type, { object, status, ...writer });
  expect(object).toEqual(before);
});

it('refuses to write to an object that has changed', async () => {
  const { set, read, patch } = await served();
  const object = await read();
  await patch(object, { ...status, conditions: [] });
  const changed = await read();
  await expect(set.writeStatus(type, { object, status, ...writer })).rejects.toMatchObject({ status: { code: 409 } });
  expect(await read()).toEqual(changed);
});

it('validates the status', async () => {
  const { set, read } = await served();
  const wrong = { ...status, acceptedNames: { plural: 'No', kind: 'Lamp' } };
  await expect(set.writeStatus(type, { object: await read(), status: wrong, ...writer })).rejects.toMatchObject({
    status: { code: 422 },
  });
});

it('runs admission, which may change the object in place', async () => {
  const seen: unknown[] = [];
  const plugin: AdmissionPlugin = {
    name: 'Marker',
    rules: [{ operations: ['UPDATE'], resources: ['apiextensions.k8s.io/customresourcedefinitions/status'] }],
    mutate: ({ object, user }) => {
      seen.push(user);
      (object!.status as { conditions: { message: string }[] }).conditions[0]!.message = 'admitted';
      return object!;
    },
  };
  const { set, read } = await served({ plugins: [plugin] });
  await set.writeStatus(type, { object: await read(), status, ...writer });
  expect(seen).toEqual([serverUser]);
  expect(await read()).toMatchObject({ status: { conditions: [{ message: 'admitted' }] } });
});
