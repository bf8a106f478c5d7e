import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import {
  type Definition,
  define,
  definitionOf,
  definitions,
  objectOf,
  pathOf,
  untilCondition,
} from './custom-types.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

/** Returns the type, status and reason of the conditions, and the accepted names. */
async function state({ metadata }: Definition) {
  const { conditions, acceptedNames } = (await api.get(`${definitions}/${metadata.name}`)).body.status;
  return {
    conditions: conditions.map(({ type, status, reason, message }: Record<string, string>) =>
      [type, status, reason, message].join(' '),
    ),
    acceptedNames,
  };
}

const refused = { type: 'NamesAccepted', status: 'False' };

async function remove({ metadata }: Definition): Promise<void> {
  await api.delete(`${definitions}/${metadata.name}`);
  await expect.poll(async () => (await api.get(`${definitions}/${metadata.name}`)).status).toBe(404);
}

describe('a definition with a name that another one of the group has', () => {
  it.each([
    ['kind', { kind: 'Anvil' }, 'KindConflict', '"Anvil" is already in use'],
    ['list kind', { listKind: 'AnvilList' }, 'ListKindConflict', '"AnvilList" is already in use'],
    ['singular', { singular: 'anvil' }, 'SingularConflict', '"anvil" is already in use'],
    ['short name', { shortNames: ['av'] }, 'ShortNamesConflict', '"av" is already in use'],
    ['plural as a short name', { shortNames: ['anvils'] }, 'ShortNamesConflict', '"anvils" is already in use'],
  ])('is accepted when the first is gone: %s', async (about, names, reason, message) => {
    const group = `${about.replaceAll(' ', '-')}.example.com`;
    const first = definitionOf({ group, singular: 'anvil', names: { shortNames: ['av'] } });
    const second = definitionOf({ group, singular: 'hammer', names });
    await define(api, first);
    await api.post(definitions, second);
    await untilCondition(api, second, refused);
    const { conditions } = await state(second);
    expect(conditions).toEqual([
      `NamesAccepted False ${reason} ${message}`,
      'Established False NotAccepted not all names are accepted',
    ]);
    expect((await api.get(pathOf(second))).status).toBe(404);

    await api.delete(`${definitions}/${first.metadata.name}`);
    await untilCondition(api, second, { type: 'Established', status: 'True' });
    expect((await api.post(pathOf(second), objectOf(second, 'a'))).status).toBe(200);
    expect((await state(second)).acceptedNames).toMatchObject({ plural: 'hammers', ...names });
    await remove(second);
  });
});

it('the same names in another group are no conflict', async () => {
  const definitions = ['one', 'two'].map((name) => definitionOf({ singular: 'twin', group: `${name}.example.com` }));
  for (const definition of definitions) await define(api, definition);
  for (const definition of definitions) expect((await api.get(pathOf(definition))).status).toBe(200);
});

it('an established type stays served when a new short name is refused', async () => {
  const group = 'kept.example.com';
  await define(api, definitionOf({ group, singular: 'anvil', names: { shortNames: ['av'] } }));
  const second = definitionOf({ group, singular: 'hammer', names: { shortNames: ['hm'] } });
  await define(api, second);
  await api.patch(`${definitions}/${second.metadata.name}`, { spec: { names: { shortNames: ['av'] } } });
  await untilCondition(api, second, { ...refused, reason: 'ShortNamesConflict' });
  const { conditions, acceptedNames } = await state(second);
  expect(conditions[1]).toMatch(/^Established True /);
  expect(acceptedNames.shortNames).toEqual(['hm']);
  expect((await api.get(`/apis/${group}/v1`)).body.resources).toContainEqual(
    expect.objectContaining({ name: 'hammers', shortNames: ['hm'] }),
  );
});

it.each([
  ['roles', 'rbac.authorization.k8s.io', 'PluralConflict'],
  ['leases', 'coordination.k8s.io', 'PluralConflict'],
])('a definition of the built-in %s.%s is not accepted', async (plural, group, reason) => {
  const definition = definitionOf({ singular: plural.slice(0, -1), group });
  const annotations = { 'api-approved.kubernetes.io': 'unapproved, for a test' };
  const metadata = { ...definition.metadata, annotations };
  const { status, body } = await api.post(definitions, { ...definition, metadata });
  expect([status, body.message]).toEqual([200, undefined]);
  await untilCondition(api, definition, refused);
  const { conditions } = await state(definition);
  expect(conditions[0]).toContain('NamesAccepted False');
  expect(conditions).toContain('Established False NotAccepted not all names are accepted');
  expect(conditions.join()).toMatch(new RegExp(`${reason}|ListKindConflict`));
  // The built-in type is not affected, not even by the deletion.
  const path = `/apis/${group}/v1/namespaces/default/${plural}`;
  expect((await api.get(path)).status).toBe(200);
  await remove(definition);
  expect((await api.get(path)).status).toBe(200);
});
