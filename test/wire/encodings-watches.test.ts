import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { EncodingName } from '../../src/codec/media-types.ts';
import { expectSame } from '../codec/expect-same.ts';
import { TestApi } from './api.ts';
import { cronTab, defineCronTabs } from './crontabs.ts';
import { type EncodedEvent, EncodedWatch, messageEvent } from './encoded-watch.ts';
import { expectMeans } from './expect-means.ts';
import { decodeBody, mediaTypeOf, protobufNames, type Typed } from './peer-codecs.ts';
import { type Protocol, RawClient } from './raw-client.ts';
import { type Sample, samples } from './sample-objects.ts';
import { messagesOf, watchSocket } from './watch-socket.ts';

let api: TestApi;
let client: RawClient;
/** The path of a watch from a version that will soon expire. */
let gone: string;
beforeAll(async () => {
  api = await TestApi.start({ featureGates: 'CBORServingAndStorage=true', compactionRetentionMs: 100 });
  client = new RawClient(api);
  const { collection, first } = await prepared(samples[0]!);
  await api.patch(`${collection}/sample`, { data: { more: '1' } });
  gone = `${collection}?watch=1&timeoutSeconds=1&resourceVersion=${first.metadata.resourceVersion}`;
});
afterAll(async () => {
  client.close();
  await api.stop();
});

interface Stream {
  readonly encoding: Exclude<EncodingName, 'yaml'>;
  readonly accept: string;
  readonly type: string;
  readonly protocol: Protocol;
}

const [kubernetes, service] = protobufNames;
const streams: Stream[] = [
  { encoding: 'json', accept: mediaTypeOf.json, type: 'application/json', protocol: 'HTTP/1.1' },
  { encoding: 'json', accept: 'application/json;stream=watch', type: 'application/json', protocol: 'HTTP/2' },
  { encoding: 'protobuf', accept: kubernetes, type: `${kubernetes};stream=watch`, protocol: 'HTTP/1.1' },
  { encoding: 'protobuf', accept: `${service};stream=watch`, type: `${service};stream=watch`, protocol: 'HTTP/2' },
  { encoding: 'cbor', accept: mediaTypeOf.cbor, type: 'application/cbor-seq', protocol: 'HTTP/1.1' },
  { encoding: 'cbor', accept: 'application/cbor-seq', type: 'application/cbor-seq', protocol: 'HTTP/2' },
];
const bookmarks = 'allowWatchBookmarks=true';
const marked = { 'k8s.io/initial-events-end': 'true' };
const table = ';as=Table;g=meta.svc.io;v=v1';
const partial = ';as=PartialObjectMetadata;g=meta.k8s.io;v=v1';

async function opened(path: string, stream: Stream, parameters = ''): Promise<EncodedWatch> {
  const { encoding, accept, type, protocol } = stream;
  const headers = { accept: `${accept}${parameters}` };
  const watch = new EncodedWatch(await client.open('GET', path, { headers, protocol }), encoding);
  onTestFinished(() => watch.close());
  expect({ status: watch.status, type: watch.headers['content-type'] }).toEqual({ status: 200, type });
  return watch;
}

let namespaces = 0;

/** Creates a namespace for each test, so that tests do not see the objects of others. */
async function prepared({ path, object }: Sample): Promise<{ collection: string; first: Typed }> {
  const namespace = `watched-${++namespaces}`;
  await api.post('/api/v1/namespaces', { metadata: { name: namespace } });
  const collection = path.replace('/default/', `/${namespace}/`);
  return { collection, first: (await api.post(collection, object)).body };
}

describe.each(streams)('a watch that asks for $accept over $protocol', (stream) => {
  // For objects, the protocol makes no difference.
  const isRepeated = streams.find(({ encoding }) => encoding === stream.encoding) !== stream;

  it.each(isRepeated ? samples.slice(0, 2) : [...samples])(
    'has the same events for $object.kind as JSON',
    async (sample) => {
      const { collection, first } = await prepared(sample);
      const watch = await opened(`${collection}?watch=1&${bookmarks}`, stream);
      const added = (await watch.next())!;
      expect(added.type).toBe('ADDED');
      expectMeans(stream.encoding, added.object, first);
      const { type, object } = (await watch.next())!;
      expect(type).toBe('BOOKMARK');
      const { kind, apiVersion } = first;
      const metadata = { resourceVersion: expect.stringMatching(/^\d+$/), annotations: marked };
      if (stream.encoding === 'protobuf') expect(object).toMatchObject({ kind, apiVersion, metadata });
      else expect(object).toEqual({ kind, apiVersion, metadata });

      const patched = await api.patch(`${collection}/sample`, { metadata: { labels: { more: '1' } } });
      const modified = (await watch.next())!;
      expect(modified.type).toBe('MODIFIED');
      expectMeans(stream.encoding, modified.object, patched.body);
      await api.delete(`${collection}/sample`);
      const deleted = (await watch.next())!;
      expect(deleted.type).toBe('DELETED');
      expectMeans(stream.encoding, { ...deleted.object, metadata: { ...patched.body.metadata } }, patched.body);
    },
  );

  it('has the columns of a Table in the first event only', async () => {
    const { collection, first } = await prepared(samples[0]!);
    const watch = await opened(`${collection}?watch=1&${bookmarks}`, stream, table);
    const added = (await watch.next())!;
    expect(added.object).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.svc.io/v1',
      metadata: { resourceVersion: first.metadata.resourceVersion },
      columnDefinitions: [{ name: 'Name', format: 'name' }, { name: 'Data' }, { name: 'Age' }],
      rows: [{ cells: ['sample', 5, expect.stringMatching(/^(\d+[smh])+$/)] }],
    });
    const { object: row } = added.object.rows[0];
    expectSame(row, { kind: 'PartialObjectMetadata', apiVersion: 'meta.svc.io/v1', metadata: first.metadata });
    const bookmark = (await watch.next())!;
    expect(bookmark.type).toBe('BOOKMARK');
    expect(bookmark.object.rows[0].object.metadata.annotations).toEqual(marked);
    await api.patch(`${collection}/sample`, { data: { more: '1' } });
    const modified = (await watch.next())!;
    for (const { object } of [bookmark, modified]) expect(object.columnDefinitions ?? []).toEqual([]);
    expect(modified.object.rows[0].cells.slice(0, 2)).toEqual(['sample', 6]);
  });

  it('has the metadata alone', async () => {
    const { collection, first } = await prepared(samples[1]!);
    const watch = await opened(`${collection}?watch=1&${bookmarks}`, stream, partial);
    const { type, object } = (await watch.next())!;
    expect(type).toBe('ADDED');
    const expected = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: first.metadata };
    expectMeans(stream.encoding, object, expected);
    expect(await watch.next()).toMatchObject({
      type: 'BOOKMARK',
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { annotations: marked } },
    });
  });

  it('can be had of one object, by its path and from a version', async () => {
    const { collection, first } = await prepared(samples[0]!);
    const path = `${collection.replace('/api/v1/', '/api/v1/watch/')}/sample`;
    const watch = await opened(`${path}?resourceVersion=${first.metadata.resourceVersion}`, stream);
    await api.post(collection, { metadata: { name: 'other' } });
    await api.patch(`${collection}/sample`, { data: { more: '1' } });
    expect(await watch.next()).toMatchObject({ type: 'MODIFIED', object: { metadata: { name: 'sample' } } });
  });

  it('has frames of every size', async () => {
    const { collection } = await prepared(samples[0]!);
    const sizes = [1, 100, 127, 128, 16_384, 65_535, 65_536, 200_000];
    const watch = await opened(`${collection}?watch=1`, stream);
    expect((await watch.next())!.object.metadata.name).toBe('sample');
    const posted = sizes.map((size) =>
      api.post(collection, { metadata: { name: `s${size}` }, data: { text: 'é'.repeat(size) } }),
    );
    await Promise.all(posted);
    const seen = new Map<string, number>();
    for (const _ of sizes) {
      const { object } = (await watch.next())!;
      seen.set(object.metadata.name, object.data.text.length);
    }
    expect(seen).toEqual(new Map(sizes.map((size) => [`s${size}`, size])));
    const again = await opened(`${collection}?watch=1`, stream);
    const backlog = new Set<string>();
    for (let count = 0; count <= sizes.length; count++) backlog.add((await again.next())!.object.metadata.name);
    expect(backlog.size).toBe(sizes.length + 1);
  });
});

describe('the metadata of custom objects', () => {
  let collection: string;
  let objects: Typed[];
  beforeAll(async () => {
    collection = await defineCronTabs(api, { group: 'metadata.example.com' });
    for (const name of ['one', 'two']) {
      await api.post(collection, cronTab('metadata.example.com', name, { spec: { n: 1 } }));
    }
    objects = (await api.get(collection)).body.items;
  });

  const readable = streams.filter(({ encoding, accept }) => encoding !== 'cbor' && !accept.includes('stream'));
  const kinds = ['PartialObjectMetadata', 'PartialObjectMetadataList'];
  const cases = readable.flatMap((stream) => kinds.map((as) => ({ as, stream, encoding: stream.encoding })));

  it.each(cases)('in a list, asked for as $as in $encoding', async ({ as, stream: { encoding, accept, protocol } }) => {
    const headers = { accept: `${accept};as=${as};g=meta.k8s.io;v=v1` };
    const response = await client.call('GET', collection, { headers, protocol });
    expect([response.status, response.headers['content-type']]).toEqual([200, accept]);
    const { kind, apiVersion, items } = decodeBody(encoding, response.bytes);
    expect([kind, apiVersion]).toEqual(['PartialObjectMetadataList', 'meta.k8s.io/v1']);
    expect(items).toHaveLength(2);
    for (const [index, { metadata }] of objects.entries()) {
      const item = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', ...items[index] };
      expectMeans(encoding, item, { kind: item.kind, apiVersion: item.apiVersion, metadata });
    }
  });

  it.each(cases)('in a watch, asked for as $as in $encoding', async ({ as, stream }) => {
    const watch = await opened(`${collection}?watch=1&${bookmarks}`, stream, `;as=${as};g=meta.k8s.io;v=v1`);
    const partialOf = ({ metadata }: Typed): Typed => {
      return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
    };
    for (const object of objects) {
      const added = (await watch.next())!;
      expect(added.type).toBe('ADDED');
      expectMeans(stream.encoding, added.object, partialOf(object));
    }
    const bookmark = { ...partialOf(objects[0]!), metadata: { annotations: marked } };
    expect(await watch.next()).toMatchObject({ type: 'BOOKMARK', object: bookmark });
  });

  it.each(readable)('is no list for one object: $encoding', async ({ accept, protocol }) => {
    const headers = { accept: `${accept};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1` };
    const response = await client.call('GET', `${collection}/one`, { headers, protocol });
    expect(response.status).toBe(406);
    expect(decodeBody('json', response.bytes).message).toMatch(
      /^you requested PartialObjectMetadataList, but the requested object is not a list/,
    );
  });
});

async function all(watch: EncodedWatch): Promise<EncodedEvent[]> {
  const events: EncodedEvent[] = [];
  for (let event = await watch.next(); event !== undefined; event = await watch.next()) events.push(event);
  return events;
}

const fromTheFuture =
  '/api/v1/namespaces?watch=1&resourceVersion=99999999&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';

/** Returns the only event of a watch over a WebSocket, which must then end properly. */
async function lastMessage(path: string, { encoding, accept }: Stream): Promise<EncodedEvent[]> {
  const client = watchSocket(api, path, accept);
  onTestFinished(() => client.terminate());
  const closed = once(client, 'close');
  const { bytes } = await messagesOf(client)();
  expect((await closed)[0]).toBe(1000);
  return [messageEvent(encoding, bytes)];
}

it('streams end after a whole frame: a bookmark, or an error that is a Status in every form', async () => {
  const { collection } = await prepared(samples[0]!);
  const inEveryRepresentation = async (path: string): Promise<EncodedEvent[][]> => {
    const watches = await Promise.all(
      streams.flatMap((stream) => ['', table, partial].map((parameters) => opened(path, stream, parameters))),
    );
    return Promise.all(watches.map(all));
  };
  const [ended, failed, messages] = await Promise.all([
    inEveryRepresentation(`${collection}?watch=1&timeoutSeconds=3&${bookmarks}`),
    inEveryRepresentation(fromTheFuture),
    Promise.all(streams.map((stream) => lastMessage(fromTheFuture, stream))),
  ]);
  for (const events of ended) {
    // The number of bookmarks is not specified.
    expect(events.map(({ type }) => type).join()).toMatch(/^ADDED,BOOKMARK(,BOOKMARK)+$/);
  }
  for (const events of [...failed, ...messages]) {
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      type: 'ERROR',
      object: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Timeout', code: 504 },
    });
  }
});

it('a version that is gone is a Status in the encoding of objects', async () => {
  await vi.waitUntil(async () => (await api.get(gone)).status === 410, { interval: 20 });
  for (const { accept, encoding, protocol } of streams) {
    const response = await client.call('GET', gone, { headers: { accept }, protocol });
    expect(response.status).toBe(410);
    // This media type is only for streams.
    const isSequence = accept === 'application/cbor-seq';
    expect(response.headers['content-type']).toBe(isSequence ? 'application/json' : accept.split(';')[0]);
    const status = decodeBody(isSequence ? 'json' : encoding, response.bytes);
    expect(status).toMatchObject({ kind: 'Status', reason: 'Expired', code: 410 });
  }
});
