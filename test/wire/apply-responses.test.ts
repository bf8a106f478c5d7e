import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TestApi } from './api.ts';
import { expectMeans } from './expect-means.ts';
import { applyAs, ownersOf } from './field-owners.ts';
import { decodeBody, encodeBody, encodingNames, mediaTypeOf } from './peer-codecs.ts';
import { RawClient } from './raw-client.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const table = 'application/json;as=Table;g=meta.k8s.io;v=v1';
const metadataOnly = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const metadataList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const yamlType = 'application/apply-patch+yaml';
const cborType = 'application/apply-patch+cbor';

let api: TestApi;
let client: RawClient;
beforeAll(async () => {
  api = await TestApi.start({ featureGates: 'CBORServingAndStorage=true' });
  client = new RawClient(api);
});
afterAll(async () => {
  client.close();
  await api.stop();
});

const configMap = (name: string, data?: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...(data && { data }),
});
const apply = (name: string, data: object, headers: Record<string, string> = {}) =>
  applyAs(api, 'm', { path: `${configMaps}/${name}`, body: configMap(name, data), headers });

describe('the response', () => {
  it.each(encodingNames)('has the owners in %s', async (encoding) => {
    const name = `in-${encoding}`;
    for (const [status, data] of [
      [201, { a: '1' }],
      [200, { b: '1' }],
    ] as const) {
      const response = await client.call('PATCH', `${configMaps}/${name}?fieldManager=m`, {
        headers: { 'content-type': yamlType, accept: mediaTypeOf[encoding] },
        body: JSON.stringify(configMap(name, data)),
      });
      expect([response.status, response.headers['content-type']]).toEqual([status, mediaTypeOf[encoding]]);
      const object = decodeBody(encoding, response.bytes);
      expect(object.data).toEqual(data);
      expect(ownersOf(object)).toEqual([`m: .data.${Object.keys(data)[0]}`]);
    }
  });

  it('is a table or metadata when the client wants that', async () => {
    const created = await apply('formed', { a: '1' }, { accept: metadataOnly });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'formed' } });
    expect(ownersOf(created.body)).toEqual(['m: .data.a']);
    expect(created.body).not.toHaveProperty('data');
    const changed = await apply('formed', { b: '1' }, { accept: table });
    expect([changed.status, changed.body.kind]).toEqual([200, 'Table']);
    expect(changed.body.rows).toHaveLength(1);
    const [row] = changed.body.rows;
    expect(row.cells.slice(0, 2)).toEqual(['formed', 1]);
    expect(row.object.kind).toBe('PartialObjectMetadata');
    expect(ownersOf(row.object)).toEqual(['m: .data.b']);
  });

  it('has sorted keys, also in values of arbitrary type, however the configuration wrote them', async () => {
    const path = '/apis/apps/v1/namespaces/default/controllerrevisions/sorted';
    const metadata = { name: 'sorted', labels: { z: '1', a: '1' } };
    const data = { z: { d: 1, c: 2 }, a: 3 };
    const body = { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata, revision: 1, data };
    const { status, body: applied } = await applyAs(api, 'm', { path, body });
    expect(status).toBe(201);
    expect(JSON.stringify(applied.data)).toBe('{"a":3,"z":{"c":2,"d":1}}');
    expect(JSON.stringify(applied.metadata.labels)).toBe('{"a":"1","z":"1"}');
  });

  it('to a conflict is a status, whatever was wanted', async () => {
    await apply('refused', { a: '1' });
    for (const accept of [table, metadataOnly]) {
      const body = configMap('refused', { a: '2' });
      const response = await applyAs(api, 'n', { path: `${configMaps}/refused`, body, headers: { accept } });
      expect(response.body).toMatchObject({ kind: 'Status', code: 409, details: { causes: [{ field: '.data.a' }] } });
    }
  });

  it('cannot be in an unsupported type, and nothing is written then', async () => {
    expect((await apply('unspoken', { a: '1' }, { accept: 'text/html' })).status).toBe(406);
    expect((await api.get(`${configMaps}/unspoken`)).status).toBe(404);
  });
});

describe('reads', () => {
  it('show the owners: get, list, watch, in every form', async () => {
    const path = await api.configMaps('seen');
    const watch = await api.watch(`${path}?watch=1`);
    onTestFinished(() => watch.close());
    const { body: made } = await applyAs(api, 'm', { path: `${path}/a`, body: configMap('a', { a: '1' }) });
    const { body: changed } = await api.patch(`${path}/a?fieldManager=u`, { data: { b: '1' } });
    const owners = ['m: .data.a', 'u*: .data.b'];
    expect(ownersOf(changed)).toEqual(owners);
    expect((await api.get(`${path}/a`)).body).toEqual(changed);
    const { kind: _kind, apiVersion: _apiVersion, ...item } = changed;
    expect((await api.get(path)).body.items).toEqual([item]);
    expect(await watch.next()).toEqual({ type: 'ADDED', object: made });
    expect(await watch.next()).toEqual({ type: 'MODIFIED', object: changed });
    const rows = (await api.get(path, { headers: { accept: table } })).body.rows;
    expect(ownersOf(rows[0].object)).toEqual(owners);
    const partial = (await api.get(path, { headers: { accept: metadataList } })).body.items;
    expect(ownersOf(partial[0])).toEqual(owners);
    for (const encoding of encodingNames) {
      const one = await client.get(`${path}/a`, mediaTypeOf[encoding]);
      expectMeans(encoding, decodeBody(encoding, one.bytes), changed);
      const list = decodeBody(encoding, (await client.get(path, mediaTypeOf[encoding])).bytes);
      expect(ownersOf(list.items[0]), encoding).toEqual(owners);
    }
  });

  it('show them in a deleted object, too', async () => {
    const path = await api.configMaps('gone');
    const { body } = await applyAs(api, 'm', { path: `${path}/a`, body: configMap('a', { a: '1' }) });
    const watch = await api.watch(`${path}?watch=1&resourceVersion=${body.metadata.resourceVersion}`);
    onTestFinished(() => watch.close());
    await api.delete(`${path}/a`);
    expect(ownersOf((await watch.next())!.object)).toEqual(['m: .data.a']);
  });
});

describe('owners in other encodings', () => {
  it.each(encodingNames)('survive a PUT of what was read in %s', async (encoding) => {
    const name = `put-in-${encoding}`;
    const { body: made } = await apply(name, { a: '1' });
    const path = `${configMaps}/${name}`;
    const read = decodeBody(encoding, (await client.get(path, mediaTypeOf[encoding])).bytes);
    const put = (object: typeof read) =>
      client.call('PUT', `${path}?fieldManager=u`, {
        headers: { 'content-type': mediaTypeOf[encoding] },
        body: encodeBody(encoding, object),
      });
    const same = await put(read);
    expect([same.status, JSON.parse(same.bytes.toString())]).toEqual([200, made]);
    const changed = await put({ ...read, data: { a: '1', b: '2' } });
    expect(ownersOf(JSON.parse(changed.bytes.toString()))).toEqual(['m: .data.a', 'u*: .data.b']);
  });

  it.each(encodingNames)('are those of the creator in %s', async (encoding) => {
    const name = `posted-in-${encoding}`;
    const { bytes } = await client.call('POST', `${configMaps}?fieldManager=maker`, {
      headers: { 'content-type': mediaTypeOf[encoding] },
      body: encodeBody(encoding, configMap(name, { a: '1' })),
    });
    expect(ownersOf(JSON.parse(bytes.toString()))).toEqual(['maker*: .data .data.a']);
  });
});

describe('a configuration in CBOR', () => {
  const send = (name: string, body: Buffer, to = client, query = '') =>
    to.call('PATCH', `${configMaps}/${name}?fieldManager=m${query}`, { headers: { 'content-type': cborType }, body });

  it('is applied', async () => {
    const first = await send('binary', encodeBody('cbor', configMap('binary', { a: '1' })));
    expect(first.status).toBe(201);
    const second = await send('binary', encodeBody('cbor', configMap('binary', { b: '1' })));
    expect(second.status).toBe(200);
    const object = JSON.parse(second.bytes.toString());
    expect([object.data, ownersOf(object)]).toEqual([{ b: '1' }, ['m: .data.b']]);
    expect((await apply('binary', { b: '1' })).body).toEqual(object);
  });

  it.each([
    ['what is no CBOR', Buffer.from('ff', 'hex'), 'error decoding CBOR: '],
    [
      'the wrong kind',
      encodeBody('cbor', { ...configMap('binary'), kind: 'Secret' }),
      'invalid object type: /v1, Kind=Secret',
    ],
    [
      'an unknown field',
      encodeBody('cbor', { ...configMap('binary'), bogus: 1 }),
      '.bogus: field not declared in schema',
    ],
  ])('is refused: %s', async (_what, body, message) => {
    const { status, bytes } = await send('binary', body);
    expect([status, JSON.parse(bytes.toString()).message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('is not understood without the gate, and never in other types', async () => {
    const plain = await TestApi.start();
    onTestFinished(() => plain.stop());
    const plainClient = new RawClient(plain);
    onTestFinished(() => plainClient.close());
    const body = encodeBody('cbor', configMap('binary'));
    expect((await send('binary', body, plainClient)).status).toBe(415);
    for (const type of [
      'application/apply-patch+json',
      'application/cbor',
      'application/apply-patch',
      'application/yaml',
    ]) {
      const response = await client.call('PATCH', `${configMaps}/binary?fieldManager=m`, {
        headers: { 'content-type': type },
        body: JSON.stringify(configMap('binary')),
      });
      expect(response.status, type).toBe(415);
    }
  });
});
