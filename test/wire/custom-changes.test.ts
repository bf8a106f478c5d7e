import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi, type TestWatch } from './api.ts';
import { type Definition, define, definitionOf, definitions, objectOf, openSchema, pathOf } from './custom-types.ts';
import { warningsOf } from './warnings-of.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

let count = 0;

async function defined(versions: readonly string[] = ['v1']): Promise<Definition> {
  const definition = definitionOf({ singular: `thing${++count}`, versions });
  await define(api, definition);
  return definition;
}

async function change({ metadata }: Definition, patch: object): Promise<void> {
  const { status, body } = await api.patch(`${definitions}/${metadata.name}`, patch);
  expect(status, body.message).toBe(200);
}

function withVersion({ spec }: Definition, name: string, fields: object): object {
  return {
    spec: { versions: spec.versions.map((version) => (version.name === name ? { ...version, ...fields } : version)) },
  };
}

/** Opens a watch and waits for one object, so that it is established. */
async function watchOf(definition: Definition, version = 'v1'): Promise<TestWatch> {
  const watch = await api.watch(`${pathOf(definition, { version })}?watch=1&resourceVersion=0`);
  expect(watch.status).toBe(200);
  return watch;
}

describe('a version that is switched off', () => {
  it('ends its watches without an error, and no others', async () => {
    const definition = await defined(['v1', 'v2']);
    const [off, on] = [await watchOf(definition, 'v2'), await watchOf(definition, 'v1')];
    await change(definition, withVersion(definition, 'v2', { served: false }));
    await off.ended;
    expect([await off.next(), off.endedCleanly]).toEqual([undefined, true]);
    for (const path of [`${pathOf(definition, { version: 'v2' })}`, `${pathOf(definition, { version: 'v2' })}/a`]) {
      expect((await api.get(path)).status).toBe(404);
    }
    expect((await api.get('/apis/example.com/v2')).text).not.toContain(`"${definition.spec.names.plural}"`);
    await api.post(pathOf(definition), objectOf(definition, 'a'));
    expect(await on.take(1)).toEqual(['ADDED a']);
    on.close();
  });

  it('is there again when it is switched on, with the objects', async () => {
    const definition = await defined(['v1', 'v2']);
    await api.post(pathOf(definition, { version: 'v2' }), objectOf(definition, 'a', { spec: { size: 1 } }, 'v2'));
    await change(definition, withVersion(definition, 'v2', { served: false }));
    await change(definition, withVersion(definition, 'v2', { served: true }));
    const { body } = await api.get(`${pathOf(definition, { version: 'v2' })}/a`);
    expect([body.apiVersion, body.metadata.managedFields[0].apiVersion]).toEqual(['example.com/v2', 'example.com/v2']);
    const watch = await watchOf(definition, 'v2');
    expect(await watch.take(1)).toEqual(['ADDED a']);
    watch.close();
  });

  it('can be the only one: objects stay', async () => {
    const definition = await defined();
    await api.post(pathOf(definition), objectOf(definition, 'a'));
    await change(definition, withVersion(definition, 'v1', { served: false }));
    expect((await api.get(pathOf(definition))).status).toBe(404);
    await change(definition, withVersion(definition, 'v1', { served: true }));
    expect((await api.get(`${pathOf(definition)}/a`)).status).toBe(200);
  });
});

describe('a watch', () => {
  const column = { name: 'Size', type: 'integer', jsonPath: '.spec.size' };
  it.each<[string, (definition: Definition) => object]>([
    ['columns', (definition) => withVersion(definition, 'v1', { additionalPrinterColumns: [column] })],
    ['short names', () => ({ spec: { names: { shortNames: [`t${count}`] } } })],
    ['categories', () => ({ spec: { names: { categories: ['all'] } } })],
    ['labels of the definition', () => ({ metadata: { labels: { a: 'b' } } })],
    [
      'a further version',
      ({ spec }) => ({
        spec: { versions: [...spec.versions, { name: 'v2', served: true, storage: false, schema: openSchema }] },
      }),
    ],
  ])('continues when this is edited: %s', async (_, patch) => {
    const definition = await defined();
    const watch = await watchOf(definition);
    await change(definition, patch(definition));
    const table = { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } };
    await api.get(pathOf(definition), table);
    await api.post(pathOf(definition), objectOf(definition, 'a'));
    expect(await watch.take(1)).toEqual(['ADDED a']);
    watch.close();
  });

  it('ends without an error when the schema is edited, and the next one follows it without a gap', async () => {
    const definition = await defined();
    const path = pathOf(definition);
    const watch = await watchOf(definition);
    await api.post(path, objectOf(definition, 'a', { spec: { size: 1, color: 'red' } }));
    const seen = (await watch.next())!.object;
    const properties = { spec: { type: 'object', properties: { size: { type: 'integer', default: 7 } } } };
    await change(
      definition,
      withVersion(definition, 'v1', { schema: { openAPIV3Schema: { type: 'object', properties } } }),
    );
    await api.post(path, objectOf(definition, 'b', { spec: {} }));
    await watch.ended;
    expect([await watch.next(), watch.endedCleanly]).toEqual([undefined, true]);
    const next = await api.watch(`${path}?watch=1&resourceVersion=${seen.metadata.resourceVersion}`);
    const event = (await next.next())!;
    expect([event.type, event.object.metadata.name, event.object.spec]).toEqual(['ADDED', 'b', { size: 7 }]);
    next.close();
    // Objects that were stored before are pruned and defaulted when they are read.
    expect((await api.get(`${path}/a`)).body.spec).toEqual({ size: 1 });
  });

  it('shows columns at once that are added later', async () => {
    const definition = await defined();
    const path = pathOf(definition);
    await api.post(path, objectOf(definition, 'a', { spec: { size: 3 } }));
    const table = { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } };
    const names = async () =>
      (await api.get(path, table)).body.columnDefinitions.map(({ name }: { name: string }) => name);
    expect(await names()).toEqual(['Name', 'Age']);
    await change(definition, withVersion(definition, 'v1', { additionalPrinterColumns: [column] }));
    expect(await names()).toEqual(['Name', 'Size']);
    expect((await api.get(path, table)).body.rows[0].cells).toEqual(['a', 3]);
    await change(definition, { spec: { names: { shortNames: [`c${count}`] } } });
    await expect
      .poll(async () => (await api.get('/apis/example.com/v1')).body.resources)
      .toContainEqual(expect.objectContaining({ name: definition.spec.names.plural, shortNames: [`c${count}`] }));
  });
});

describe('status and scale', () => {
  it('appear and disappear with the definition', async () => {
    const definition = await defined();
    const path = pathOf(definition);
    await api.post(path, objectOf(definition, 'a', { spec: { replicas: 2 } }));
    expect((await api.get(`${path}/a/scale`)).status).toBe(404);
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
    await change(definition, withVersion(definition, 'v1', { subresources: { status: {}, scale } }));
    expect((await api.get(`${path}/a/scale`)).body).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      spec: { replicas: 2 },
      status: { replicas: 0 },
    });
    expect((await api.patch(`${path}/a/scale`, { spec: { replicas: 5 } })).body.spec.replicas).toBe(5);
    expect((await api.get(`${path}/a`)).body.spec.replicas).toBe(5);
    // Without the subresource, the status is a regular field.
    expect((await api.patch(`${path}/a`, { status: { replicas: 1 } })).body.status).toBeUndefined();
    await change(definition, withVersion(definition, 'v1', { subresources: {} }));
    expect((await api.get(`${path}/a/status`)).status).toBe(404);
    expect((await api.patch(`${path}/a`, { status: { replicas: 1 } })).body.status).toEqual({ replicas: 1 });
  });
});

it('a new rule that an object violates is a warning while the value stays, on its status too', async () => {
  const definition = definitionOf({ singular: 'strict' });
  await define(api, definition);
  await api.post(pathOf(definition), { ...objectOf(definition, 'a'), spec: { size: 5 } });
  const size = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self < 3', message: 'must be small' }] };
  const properties = {
    spec: { type: 'object', properties: { size } },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  };
  const versions = definition.spec.versions.map((version) => ({
    ...version,
    deprecated: true,
    schema: { openAPIV3Schema: { type: 'object', properties } },
  }));
  await api.patch(`${definitions}/${definition.metadata.name}`, { spec: { versions } });
  const path = `${pathOf(definition)}/a`;
  const warnings = ['example.com/v1 Strict is deprecated', 'spec.size: Invalid value: 5: must be small'];
  const label = await api.patch(path, { metadata: { labels: { a: 'b' } } });
  expect([label.status, warningsOf(label.headers)]).toEqual([200, warnings]);
  const status = await api.patch(`${path}/status`, { status: { phase: 'Ready' } });
  expect([status.status, warningsOf(status.headers)]).toEqual([200, warnings]);
  const put = await api.put(`${path}/status`, { ...status.body, status: { phase: 'Done' } });
  expect([put.status, warningsOf(put.headers)]).toEqual([200, warnings]);
  expect((await api.patch(path, { spec: { size: 6 } })).status).toBe(422);
});
