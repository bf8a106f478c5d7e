import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { badRequest, defineResource, type UserInfo } from '../../src/extension-server/index.ts';
import { type ExtensionApi, startResources } from './extension-api.ts';

interface Reading {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly resourceVersion?: string;
  };
  readonly place?: string;
  readonly degrees: number;
  readonly unknown?: string;
}

const reading = (namespace: string, name: string, degrees: number, more: object = {}): Reading => ({
  metadata: { name, namespace, labels: { hot: String(degrees > 20) } },
  place: degrees > 20 ? 'inside' : 'outside',
  degrees,
  ...more,
});

const schema = {
  type: 'object',
  description: 'What a thermometer shows.',
  properties: {
    degrees: { type: 'integer', description: 'In degrees Celsius.' },
    place: { type: 'string' },
    unit: { type: 'string', default: 'Celsius' },
  },
};
const path = '/apis/example.com/v1';
const tableOf = (kind = 'Table') => ({ accept: `application/json;as=${kind};g=meta.k8s.io;v=v1` });

describe('a backend that is only read', () => {
  const readings = [
    reading('b', 'z', 25),
    reading('a', 'y', 5, { unknown: 'dropped' }),
    reading('a', 'x', 30),
    reading('c', 'w', 15),
  ];
  const requested: { namespace: string; name?: string; user: UserInfo | undefined }[] = [];
  let extension: ExtensionApi;
  const get = (query: string, headers: Record<string, string> = {}) =>
    extension.api.get(`${path}/${query}`, { headers });
  const names = async (query: string): Promise<string[]> =>
    (await get(query)).body.items.map(({ metadata }: Reading) => `${metadata.namespace}/${metadata.name}`);

  beforeAll(async () => {
    const measured = defineResource<Reading>({
      kind: 'Reading',
      plural: 'readings',
      shortNames: ['rd'],
      categories: ['weather'],
      schema,
      columns: [{ name: 'Degrees', type: 'integer', jsonPath: '.degrees' }],
      selectableFields: ['.place'],
      backend: {
        list({ namespace, user }) {
          requested.push({ namespace, user });
          return readings;
        },
        get({ namespace, name, user }) {
          requested.push({ namespace, name, user });
          if (name === 'broken') throw new Error('the thermometer is broken');
          if (name === 'refused') throw badRequest('ask another one');
          if (name === 'nameless') return { metadata: {}, degrees: 0 } as Reading;
          if (name === 'null') return null as never;
          if (name === 'circular') {
            const circular: Record<string, unknown> = reading(namespace, name, 1) as never;
            circular.unknown = circular;
            return circular as never;
          }
          if (name === 'other') return readings[0];
          return readings.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
        },
      },
    });
    const versions = new Map([
      ['numbered', '17'],
      ['lettered', 'abc'],
    ]);
    const versioned = defineResource<Reading>({
      kind: 'Version',
      plural: 'versions',
      backend: {
        list: ({ namespace }) => ({
          items:
            namespace === 'missing'
              ? (undefined as never)
              : [{ metadata: { name: 'x', namespace, resourceVersion: '12' }, degrees: 1 }],
          resourceVersion: versions.get(namespace) ?? '20',
        }),
      },
    });
    extension = await startResources([measured, versioned]);
  });
  afterAll(() => extension.stop());

  it('is listed in the order of keys, with defaults and without unknown fields', async () => {
    const { status, body } = await get('readings');
    expect(status).toBe(200);
    expect(body).toMatchObject({ kind: 'ReadingList', apiVersion: 'example.com/v1', metadata: {} });
    expect(body.metadata.resourceVersion).toBeUndefined();
    expect(body.items.map(({ metadata }: Reading) => metadata.name)).toEqual(['x', 'y', 'z', 'w']);
    expect(body.items[1]).toEqual({
      kind: 'Reading',
      apiVersion: 'example.com/v1',
      metadata: { name: 'y', namespace: 'a', labels: { hot: 'false' } },
      place: 'outside',
      degrees: 5,
      unit: 'Celsius',
    });
  });

  it('receives the user and the request', async () => {
    requested.length = 0;
    await get('namespaces/a/readings/x');
    await get('namespaces/b/readings');
    expect(requested).toEqual([
      { namespace: 'a', name: 'x', user: expect.objectContaining({ name: 'kubernetes-admin' }) },
      { namespace: 'b', user: expect.objectContaining({ groups: expect.arrayContaining(['system:masters']) }) },
    ]);
  });

  it.each([
    ['all', 'readings', ['a/x', 'a/y', 'b/z', 'c/w']],
    ['a namespace', 'namespaces/a/readings', ['a/x', 'a/y']],
    ['labels', 'readings?labelSelector=hot%3Dtrue', ['a/x', 'b/z']],
    ['a name', 'readings?fieldSelector=metadata.name%3Dw', ['c/w']],
    ['a name in a namespace', 'namespaces/a/readings?fieldSelector=metadata.name%3Dy', ['a/y']],
    ['a field', 'readings?fieldSelector=place%3Doutside', ['a/y', 'c/w']],
    ['nothing', 'namespaces/none/readings', []],
    ['any version that is not too old', 'readings?resourceVersion=5', ['a/x', 'a/y', 'b/z', 'c/w']],
  ])('is selected by %s', async (_what, query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('is read in pages', async () => {
    const pages: string[][] = [];
    let token = '';
    do {
      const { body } = await get(`readings?limit=3&continue=${token}`);
      pages.push(body.items.map(({ metadata }: Reading) => metadata.name));
      if (token === '') expect(body.metadata.remainingItemCount).toBe(1);
      token = body.metadata.continue;
    } while (token !== '');
    expect(pages).toEqual([['x', 'y', 'z'], ['w']]);
  });

  it('has Tables, metadata and other encodings', async () => {
    const table = (await get('readings', tableOf())).body;
    expect(table.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(['Name', 'Degrees']);
    expect(table.rows.map(({ cells }: { cells: unknown[] }) => cells)).toContainEqual(['x', 30]);
    const metadata = (await get('readings', tableOf('PartialObjectMetadataList'))).body;
    expect(metadata.items[0]).toEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { name: 'x', namespace: 'a', labels: { hot: 'true' } },
    });
    const yaml = await get('namespaces/a/readings/x', { accept: 'application/yaml' });
    expect(yaml.text).toContain('degrees: 30\n');
    const protobuf = await get('readings', { accept: 'application/vnd.kubernetes.protobuf' });
    expect(protobuf.status).toBe(406);
    const encoded = { accept: 'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' };
    expect((await get('readings', encoded)).status).toBe(200);
  });

  it.each([
    ['absent', 404, 'readings.example.com "absent" not found'],
    ['null', 404, 'readings.example.com "null" not found'],
    ['circular', 500, expect.stringContaining('readings.example.com returned an object that is not JSON')],
    ['broken', 500, 'the thermometer is broken'],
    ['refused', 400, 'ask another one'],
    ['nameless', 500, 'Internal error occurred: the backend of readings.example.com returned an object without a name'],
    ['other', 500, expect.stringContaining('returned /registry/example.com/readings/b/z for')],
  ])('fails with a Status: %s', async (name, code, message) => {
    const { status, body } = await get(`namespaces/a/readings/${name}`);
    expect(status).toBe(code);
    expect(body).toMatchObject({ kind: 'Status', status: 'Failure', message, code });
  });

  it('has no other verbs', async () => {
    const { api } = extension;
    expect((await get('readings?watch=1')).body.message).toBe(
      'watch is not supported on resources of kind "readings.example.com"',
    );
    const item = `${path}/namespaces/a/readings/x`;
    for (const { status } of [await api.put(item, {}), await api.patch(item, {}), await api.delete(item)]) {
      expect(status).toBe(405);
    }
    expect((await api.post(`${path}/namespaces/a/readings`, {})).status).toBe(405);
  });

  it('is described in both forms of discovery and in OpenAPI', async () => {
    const expected = { verbs: ['get', 'list'], shortNames: ['rd'], categories: ['weather'] };
    const list = (await extension.api.get(path)).body;
    expect(list.resources[0]).not.toHaveProperty('storageVersionHash');
    expect(list.resources[0]).toMatchObject({ name: 'readings', kind: 'Reading', namespaced: true, ...expected });
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const aggregated = (await extension.api.get('/apis', { headers: { accept } })).body;
    expect(aggregated.items[0].versions[0].resources[0]).toMatchObject({ resource: 'readings', ...expected });
    const { schemas } = (await extension.api.get('/openapi/v3/apis/example.com/v1')).body.components;
    expect(schemas['com.example.v1.Reading'].properties.degrees.description).toBe('In degrees Celsius.');
    const swagger = (await extension.api.get('/openapi/v2')).body;
    expect(swagger.definitions['com.example.v1.Reading'].description).toBe('What a thermometer shows.');
    expect(Object.keys(swagger.paths)).toContain('/apis/example.com/v1/namespaces/{namespace}/readings');
  });

  it('has the versions of the backend', async () => {
    const { body } = await get('namespaces/numbered/versions');
    expect(body.metadata.resourceVersion).toBe('17');
    expect(body.items[0].metadata.resourceVersion).toBe('12');
    expect((await get('namespaces/numbered/versions?resourceVersion=17&resourceVersionMatch=Exact')).status).toBe(200);
    const past = await get('namespaces/numbered/versions?resourceVersion=16&resourceVersionMatch=Exact');
    expect(past.body).toMatchObject({ reason: 'Expired', code: 410 });
    expect((await get('namespaces/missing/versions')).body.message).toContain('returned no list');
    const { body: failure } = await get('namespaces/lettered/versions');
    expect(failure.message).toContain('the resourceVersion "abc", which is not a decimal number');
  });
});
