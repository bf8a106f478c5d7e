import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { define, definitionOf, definitions, objectOf, pathOf } from './custom-types.ts';
import { warningsOf } from './warnings-of.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const schemaOf = (properties: object) => ({
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
});
const text = { type: 'string' };
/** Every version has the field `color` and one field of its own. */
const versions = [
  { name: 'v1', schema: schemaOf({ color: text, one: text }) },
  { name: 'v2', schema: schemaOf({ color: text, two: { type: 'string', default: 'set' } }) },
  { name: 'v3', schema: schemaOf({ color: text, three: text }) },
];
const order = ['v1', 'v2', 'v3'];

let count = 0;
async function defined() {
  const definition = definitionOf({ singular: `kept${++count}`, versions });
  await define(api, definition);
  return definition;
}

describe('versions without a conversion', () => {
  it('show in a dry run what would be stored', async () => {
    const definition = await defined();
    const path = pathOf(definition, { version: 'v3' });
    const object = objectOf(definition, 'a', { spec: { color: 'red', three: '3' } }, 'v3');
    expect((await api.post(`${path}?dryRun=All`, object)).body).toMatchObject({
      apiVersion: 'example.com/v3',
      spec: { color: 'red' },
    });
    expect((await api.post(path, object)).body.spec).toEqual({ color: 'red' });
    const patch = { spec: { color: 'blue', three: '3' } };
    for (const query of ['?dryRun=All', '']) {
      expect((await api.patch(`${path}/a${query}`, patch)).body.spec).toEqual({ color: 'blue' });
    }
  });

  it('show the same objects, each with its own fields', async () => {
    const definition = await defined();
    const spec = { color: 'red', one: '1', two: '2', three: '3' };
    for (const version of order) {
      const { body } = await api.post(
        pathOf(definition, { version }),
        objectOf(definition, version, { spec }, version),
      );
      expect(body.apiVersion).toBe(`example.com/${version}`);
    }
    // Only fields that exist in both the written version and the stored version are stored.
    const seen = async (version: string) =>
      (await api.get(pathOf(definition, { version }))).body.items.map((item: { apiVersion: string; spec: object }) => [
        item.apiVersion,
        item.spec,
      ]);
    expect(await seen('v1')).toEqual([
      ['example.com/v1', { color: 'red', one: '1' }],
      ['example.com/v1', { color: 'red' }],
      ['example.com/v1', { color: 'red' }],
    ]);
    for (const version of ['v2', 'v3']) {
      expect(await seen(version)).toEqual(order.map(() => [`example.com/${version}`, { color: 'red' }]));
    }
    // Writes set the defaults of their version. Reads set those of the stored version.
    const path = pathOf(definition, { version: 'v2' });
    const made = await api.post(path, objectOf(definition, 'made', { spec: {} }, 'v2'));
    expect(made.status).toBe(200);
    expect((await api.get(`${path}/made`)).body.spec).toEqual({});
  });

  it('are listed in chunks in any of them', async () => {
    const definition = await defined();
    const names = Array.from({ length: 7 }, (_, index) => `n${index}`);
    for (const [index, name] of names.entries()) {
      const version = order[index % 3]!;
      await api.post(pathOf(definition, { version }), objectOf(definition, name, { spec: { color: 'red' } }, version));
    }
    for (const version of order) {
      const found: string[] = [];
      let token = '';
      do {
        const { body } = await api.get(`${pathOf(definition, { version })}?limit=3&continue=${token}`);
        for (const { apiVersion, metadata } of body.items) found.push(`${apiVersion} ${metadata.name}`);
        token = body.metadata.continue ?? '';
      } while (token !== '');
      expect(found).toEqual(names.map((name) => `example.com/${version} ${name}`));
    }
  });

  it('are watched in any of them, whichever is written', async () => {
    const definition = await defined();
    const watches = await Promise.all(
      order.map((version) => api.watch(`${pathOf(definition, { version })}?watch=1&resourceVersion=0`)),
    );
    await api.post(pathOf(definition, { version: 'v2' }), objectOf(definition, 'a', { spec: { color: 'red' } }, 'v2'));
    await api.patch(`${pathOf(definition, { version: 'v3' })}/a`, { spec: { color: 'blue', three: '3' } });
    await api.delete(`${pathOf(definition)}/a`);
    for (const [index, watch] of watches.entries()) {
      const events = [await watch.next(), await watch.next(), await watch.next()];
      expect(events.map((event) => `${event!.type} ${event!.object.apiVersion} ${event!.object.spec.color}`)).toEqual([
        `ADDED example.com/${order[index]} red`,
        `MODIFIED example.com/${order[index]} blue`,
        `DELETED example.com/${order[index]} blue`,
      ]);
      watch.close();
    }
  });

  it('are applied in any of them: fields keep their owners', async () => {
    const definition = await defined();
    const apply = (version: string, manager: string, spec: object) =>
      api.call('PATCH', `${pathOf(definition, { version })}/a?fieldManager=${manager}`, {
        body: objectOf(definition, 'a', { spec }, version),
        headers: { 'content-type': 'application/apply-patch+yaml' },
      });
    expect((await apply('v1', 'first', { color: 'red', one: '1' })).status).toBe(201);
    expect((await apply('v3', 'second', { color: 'blue' })).body).toMatchObject({
      code: 409,
      message: expect.stringContaining('conflict with "first": .spec.color'),
    });
    expect((await apply('v3', 'second', { color: 'red' })).status).toBe(200);
    // Fields that an owner no longer applies are removed, whichever version it uses.
    expect((await apply('v2', 'first', {})).status).toBe(200);
    expect((await api.get(`${pathOf(definition)}/a`)).body.spec).toEqual({ color: 'red' });
  });
});

/** Returns the field owners as `manager version fields`. */
const owners = (body: { metadata: { managedFields?: { manager: string; apiVersion: string; fieldsV1: object }[] } }) =>
  body.metadata.managedFields?.map(
    ({ manager, apiVersion, fieldsV1 }) => `${manager} ${apiVersion.split('/')[1]} ${JSON.stringify(fieldsV1)}`,
  );

describe('an update through another version than that of a field owner', () => {
  const first = { spec: { color: 'red', one: '1' } };

  it('keeps the owners when their version declares all fields', async () => {
    const definition = await defined();
    await api.post(`${pathOf(definition)}?fieldManager=first`, objectOf(definition, 'a', first));
    const path = `${pathOf(definition, { version: 'v3' })}/a?fieldManager=second`;
    const { body } = await api.patch(path, { spec: { color: 'blue' } });
    expect(owners(body)).toEqual(['first v1 {"f:spec":{".":{},"f:one":{}}}', 'second v3 {"f:spec":{"f:color":{}}}']);
  });

  it('drops all owners when their version does not declare a field, such as a default of the other', async () => {
    const definition = await defined();
    await api.post(`${pathOf(definition)}?fieldManager=first`, objectOf(definition, 'a', first));
    const path = `${pathOf(definition, { version: 'v2' })}/a`;
    const { body, status } = await api.patch(`${path}?fieldManager=second`, { spec: { color: 'blue' } });
    expect([status, body.spec]).toEqual([200, { color: 'blue' }]);
    expect(body.metadata).not.toHaveProperty('managedFields');
    expect((await api.get(`${pathOf(definition)}/a`)).body.metadata).not.toHaveProperty('managedFields');
    // The next apply finds an object without owners.
    const apply = { body: objectOf(definition, 'a', { spec: { color: 'blue' } }) };
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const applied = await api.call('PATCH', `${pathOf(definition)}/a?fieldManager=third`, { ...apply, headers });
    expect(owners(applied.body)).toEqual([
      'third v1 {"f:spec":{"f:color":{}}}',
      'before-first-apply v1 {"f:spec":{".":{},"f:color":{}}}',
    ]);
  });
});

describe('a patch of the version of an object', () => {
  it.each([
    ['v9', ['unknown field "spec"']],
    ['v2', ['unknown field "spec.one"']],
    ['v1', []],
  ])('to %s is refused, with warnings about what that version does not declare', async (version, warnings) => {
    const definition = await defined();
    await api.post(pathOf(definition), objectOf(definition, 'a', { spec: { color: 'red', one: '1' } }));
    const apiVersion = `example.com/${version}`;
    const { status, body, headers } = await api.patch(`${pathOf(definition)}/a`, { apiVersion });
    expect(status).toBe(version === 'v1' ? 200 : 422);
    if (version !== 'v1') expect(body.message).toContain(`apiVersion: Invalid value: "${apiVersion}": must be`);
    expect(warningsOf(headers)).toEqual(warnings);
  });

  it('names these fields when they are not allowed', async () => {
    const definition = await defined();
    await api.post(pathOf(definition), objectOf(definition, 'a', { spec: { color: 'red' } }));
    const path = `${pathOf(definition)}/a?fieldValidation=Strict`;
    const { body } = await api.patch(path, { apiVersion: 'example.com/v9' });
    expect([body.code, body.message]).toEqual([
      422,
      expect.stringContaining('strict decoding error: unknown field "spec"'),
    ]);
  });
});

describe('the stored version', () => {
  it('can be changed while objects of others are there', async () => {
    const definition = await defined();
    await api.post(pathOf(definition), objectOf(definition, 'old', { spec: { color: 'red', one: '1' } }));
    const path = `${definitions}/${definition.metadata.name}`;
    const storing = (name: string) =>
      definition.spec.versions.map((each) => ({ ...each, storage: each.name === name }));
    const changed = (await api.patch(path, { spec: { versions: storing('v3') } })).body;
    expect(changed.status.storedVersions).toEqual(['v1', 'v3']);
    // The stored object has not changed.
    expect((await api.get(`${pathOf(definition)}/old`)).body.spec).toEqual({ color: 'red', one: '1' });
    const third = pathOf(definition, { version: 'v3' });
    await api.post(third, objectOf(definition, 'new', { spec: { color: 'blue', three: '3' } }, 'v3'));
    expect((await api.get(third)).body.items.map(({ spec }: { spec: object }) => spec)).toEqual([
      { color: 'blue', three: '3' },
      { color: 'red' },
    ]);
    // A write stores the object in the new version.
    await api.patch(`${third}/old`, { metadata: { labels: { touched: 'y' } } });
    expect((await api.get(`${pathOf(definition)}/old`)).body.spec).toEqual({ color: 'red' });
    // A version in which objects may be stored cannot be removed.
    const without = storing('v3').filter(({ name }) => name !== 'v1');
    expect((await api.patch(path, { spec: { versions: without } })).body).toMatchObject({
      code: 422,
      message: expect.stringContaining('status.storedVersions[0]: Invalid value: "v1"'),
    });
    await api.patch(`${path}/status`, { status: { storedVersions: ['v3'] } });
    expect((await api.patch(path, { spec: { versions: without } })).status).toBe(200);
    expect((await api.get(pathOf(definition))).status).toBe(404);
    expect((await api.get(third)).body.items).toHaveLength(2);
  });
});

describe('a change of one version', () => {
  const withDefault = { ...versions[0], schema: schemaOf({ color: { type: 'string', default: 'green' }, one: text }) };

  it.each([
    ['the stored version', { served: true }],
    ['the stored version, which is not served,', { served: false }],
  ])('is seen through the others at once: %s', async (_, { served }) => {
    const [stored, ...others] = versions;
    const definition = definitionOf({ singular: `kept${++count}`, versions: [{ ...stored!, served }, ...others] });
    await define(api, definition);
    const path = pathOf(definition, { version: 'v2' });
    await api.post(path, objectOf(definition, 'a', { spec: {} }, 'v2'));
    expect((await api.get(`${path}/a`)).body.spec).toEqual({});
    expect((await api.get(path)).body.items[0].spec).toEqual({});
    const watch = await api.watch(`${path}?watch=1`);
    expect((await watch.next())!.object.spec).toEqual({});
    const changed = await api.patch(`${definitions}/${definition.metadata.name}`, {
      spec: {
        versions: [{ ...definition.spec.versions[0], ...withDefault, served }, ...definition.spec.versions.slice(1)],
      },
    });
    expect(changed.status).toBe(200);
    expect((await api.get(`${path}/a`)).body.spec).toEqual({ color: 'green' });
    expect((await api.get(path)).body.items[0].spec).toEqual({ color: 'green' });
    await watch.ended;
    expect((await api.patch(`${path}/a`, { metadata: { labels: { a: 'b' } } })).body.spec).toEqual({ color: 'green' });
  });

  it('ends no watch when a version is added', async () => {
    const definition = definitionOf({ singular: `kept${++count}`, versions: versions.slice(0, 2) });
    await define(api, definition);
    const path = pathOf(definition, { version: 'v2' });
    const watch = await api.watch(`${path}?watch=1&resourceVersion=0`);
    const added = { ...definition.spec.versions[1], ...versions[2] };
    const changed = await api.patch(`${definitions}/${definition.metadata.name}`, {
      spec: { versions: [...definition.spec.versions, added] },
    });
    expect(changed.status).toBe(200);
    await api.post(pathOf(definition, { version: 'v3' }), objectOf(definition, 'a', { spec: {} }, 'v3'));
    expect(await watch.take(1)).toEqual(['ADDED a']);
    watch.close();
  });
});
