import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EncodingName } from '../../src/codec/media-types.ts';
import { startTestedServer } from '../shared-store/start-tested-server.ts';
import { TestApi } from './api.ts';
import { expectMeans } from './expect-means.ts';
import { decodeBody, encodingNames, mediaTypeOf, type Typed } from './peer-codecs.ts';
import { RawClient } from './raw-client.ts';

const large = '/api/v1/namespaces/large/configmaps';
const many = '/api/v1/namespaces/many/configmaps';
const none = '/api/v1/namespaces/none/configmaps';
const largeCount = 60;
const manyCount = 3_000;
const text = `${'é"'.repeat(30)}\n`.repeat(60);

let api: TestApi;
let client: RawClient;
let touch: (name: string, text: string) => Promise<unknown>;
beforeAll(async () => {
  const server = await startTestedServer({
    featureGates: 'CBORServingAndStorage=true',
    controllers: [],
    disableAdmissionPlugins: ['ServiceAccount'],
  });
  api = new TestApi(server);
  client = new RawClient(api);
  const reference = { group: '', version: 'v1', resource: 'configmaps' };
  for (const name of ['large', 'many']) await api.post('/api/v1/namespaces', { metadata: { name } });
  const [ofLarge, ofMany] = [server.client.resource(reference, 'large'), server.client.resource(reference, 'many')];
  for (let index = 0; index < largeCount; index++) {
    const object = { metadata: { name: `l${index}`, labels: { odd: `${index % 2}` } }, data: { text } };
    await ofLarge.create(object as never);
  }
  // The objects are created without sockets, because there are so many.
  const made = Array.from({ length: 20 }, async (_, start) => {
    for (let index = start; index < manyCount; index += 20) await ofMany.create({ metadata: { name: `m${index}` } });
  });
  await Promise.all(made);
  touch = (name, value) => ofMany.patch(name, { data: { value } });
});
afterAll(async () => {
  client.close();
  await api.stop();
});

const names = ({ items }: Typed): string[] => items.map(({ metadata }: Typed) => metadata.name);

describe.each(encodingNames)('a list in %s', (encoding) => {
  const accept = mediaTypeOf[encoding];
  const read = async (path: string, parameters = ''): Promise<Typed> => {
    const { status, headers, bytes } = await client.get(path, `${accept}${parameters}`);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: accept });
    return decodeBody(encoding, bytes);
  };

  it.each([
    ['all of it', ''],
    ['a page', '?limit=40'],
    ['what is selected', '?labelSelector=odd%3D1'],
    ['what is selected, a page', '?labelSelector=odd%3D1&limit=20'],
  ])('is what it is in JSON if it has more than 128 KiB: %s', async (_what, query) => {
    expectMeans(encoding, await read(large + query), (await api.get(large + query)).body);
  });

  it('comes in pieces over both protocols, or compressed, if it has more than 128 KiB', async () => {
    const { bytes } = await client.get(large, accept);
    expect(bytes.length).toBeGreaterThan(131_072);
    for (const protocol of ['HTTP/1.1', 'HTTP/2'] as const) {
      const plain = await client.call('GET', large, { headers: { accept }, protocol });
      expect(plain.headers['content-length']).toBeUndefined();
      expect(plain.bytes.equals(bytes)).toBe(true);
      const gzip = await client.call('GET', large, { headers: { accept, 'accept-encoding': 'gzip' }, protocol });
      expect(gzip.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': accept });
      expect(gzip.bytes.length).toBeLessThan(bytes.length);
      expect(gunzipSync(gzip.bytes).equals(bytes)).toBe(true);
    }
  });

  it.each([
    ['objects', ''],
    ['metadata', ';as=PartialObjectMetadataList;g=meta.svc.io;v=v1'],
    ['rows', ';as=Table;g=meta.svc.io;v=v1'],
  ])('goes on page by page: %s', async (_what, parameters) => {
    const seen: string[] = [];
    let token = '';
    const versions = new Set<string>();
    for (let page = 0; page === 0 || token !== ''; page++) {
      const list = await read(`${large}?limit=25&continue=${token}`, parameters);
      const items = list.items ?? list.rows.map(({ object }: Typed) => object);
      seen.push(...items.map(({ metadata }: Typed) => metadata.name));
      versions.add(list.metadata.resourceVersion);
      token = list.metadata.continue ?? '';
      expect(list.metadata.remainingItemCount).toBe(token === '' ? undefined : largeCount - seen.length);
      expect(page).toBeLessThan(3);
    }
    expect(seen).toEqual(names((await api.get(large)).body));
    expect(versions.size).toBe(1);
  });

  it.each([
    ['', 'ConfigMapList', 'items'],
    [';as=PartialObjectMetadata;g=meta.k8s.io;v=v1', 'PartialObjectMetadataList', 'items'],
    [';as=Table;g=meta.k8s.io;v=v1', 'Table', 'rows'],
  ])('says so if it is empty: %s', async (parameters, kind, field) => {
    const list = await read(none, parameters);
    expect(list.kind).toBe(kind);
    expect(list.metadata.resourceVersion).toMatch(/^\d+$/);
    // Protobuf does not distinguish an absent list from an empty one.
    expect(list[field] ?? (encoding === 'protobuf' ? [] : undefined)).toEqual([]);
    if (kind === 'Table') expect(list.columnDefinitions).toHaveLength(3);
  });

  it('may be left halfway, again and again', async () => {
    for (const [index, protocol] of (['HTTP/1.1', 'HTTP/2', 'HTTP/1.1', 'HTTP/2'] as const).entries()) {
      const { status, body, close: leave } = await client.open('GET', many, { headers: { accept }, protocol });
      expect(status).toBe(200);
      if (index > 1) await body[Symbol.asyncIterator]().next();
      leave();
    }
    expect((await api.get(`${large}/l0`)).status).toBe(200);
  });
});

it.each([
  ['yaml', ''],
  ['protobuf', ''],
  ['protobuf', ';as=Table;g=meta.k8s.io;v=v1'],
  ['cbor', ''],
] as const)(
  'a list of very many objects does not block other requests, and is complete: %s%s',
  async (encoding, parameters) => {
    // Groups of items that are completely cached would be sent at once, so one item of each group is changed.
    for (let index = 0; index < manyCount; index += 25) await touch(`m${index}`, `${encoding}${parameters}`);
    let isDone = false;
    const listed = client.get(many, `${mediaTypeOf[encoding]}${parameters}`).finally(() => {
      isDone = true;
    });
    let [responded, longest] = [0, 0];
    const begin = process.threadCpuUsage();
    while (!isDone) {
      const start = process.threadCpuUsage();
      expect((await api.get(`${large}/l0`)).status).toBe(200);
      longest = Math.max(longest, workedSince(start));
      responded++;
      await nextTurn();
    }
    // If the list were encoded without a pause, there would be at most two responses.
    expect(responded).toBeGreaterThan(3);
    expect(longest).toBeLessThan(workedSince(begin) / 2);

    const { status, bytes } = await listed;
    expect(status).toBe(200);
    expect(new Set(namesIn(encoding, bytes)).size).toBe(manyCount);
  },
);

/** The processor time of this thread, in which both the server and its clients run. */
function workedSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(start);
  return user + system;
}

function namesIn(encoding: EncodingName, bytes: Buffer): Iterable<string> {
  // Parsing this much YAML takes a long time.
  if (encoding === 'yaml')
    return bytes
      .toString()
      .matchAll(/^ {4}name: (m\d+)$/gm)
      .map(([, name]) => name!);
  const { items, rows } = decodeBody(encoding, bytes);
  return items?.map(({ metadata }: Typed) => metadata.name) ?? rows.map(({ cells }: Typed) => cells[0]);
}
