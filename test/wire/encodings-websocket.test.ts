import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type WebSocket from 'ws';
import type { EncodingName } from '../../src/codec/media-types.ts';
import { TestApi } from './api.ts';
import { messageEvent } from './encoded-watch.ts';
import { expectMeans } from './expect-means.ts';
import { decodeBody, mediaTypeOf } from './peer-codecs.ts';
import { type Message, messagesOf, watchSocket } from './watch-socket.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start({ featureGates: 'CBORServingAndStorage=true' });
});
afterAll(() => api.stop());

function socket(path: string, accept: string): WebSocket {
  const client = watchSocket(api, path, accept);
  onTestFinished(() => client.terminate());
  return client;
}

const streams: { readonly encoding: EncodingName; readonly accept: string; readonly isBinary: boolean }[] = [
  { encoding: 'json', accept: mediaTypeOf.json, isBinary: false },
  { encoding: 'protobuf', accept: mediaTypeOf.protobuf, isBinary: true },
  { encoding: 'protobuf', accept: 'application/vnd.svc.protobuf;stream=watch', isBinary: true },
  { encoding: 'cbor', accept: mediaTypeOf.cbor, isBinary: true },
];

describe.each(streams)('a WebSocket that asks for $accept', ({ encoding, accept, isBinary }) => {
  const event = ({ bytes, isBinary: actual }: Message) => {
    expect(actual).toBe(isBinary);
    return messageEvent(encoding, bytes);
  };

  it('gets a message for each event, without a length before it', async () => {
    const namespace = accept.replaceAll(/[^a-z]/g, '');
    const path = await api.configMaps(namespace, { a: {}, b: {} });
    const next = messagesOf(socket(`${path}?watch=1&allowWatchBookmarks=true`, accept));
    for (const name of ['a', 'b']) {
      const { type, object } = event(await next());
      expect(type).toBe('ADDED');
      expectMeans(encoding, object, (await api.get(`${path}/${name}`)).body);
    }
    expect(event(await next()).type).toBe('BOOKMARK');
    const { body } = await api.patch(`${path}/b`, { data: { text: 'x'.repeat(100_000) } });
    const { type, object } = event(await next());
    expect(type).toBe('MODIFIED');
    expectMeans(encoding, object, body);
  });

  it('gets Tables and metadata', async () => {
    const path = await api.configMaps('forms', { a: {} });
    const tables = messagesOf(socket(`${path}?watch=1`, `${accept};as=Table;g=meta.k8s.io;v=v1`));
    expect(event(await tables()).object).toMatchObject({
      kind: 'Table',
      rows: [{ cells: ['a', 0, expect.any(String)] }],
    });
    const metadata = messagesOf(socket(`${path}?watch=1`, `${accept};as=PartialObjectMetadata;g=meta.svc.io;v=v1`));
    expect(event(await metadata()).object).toMatchObject({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.svc.io/v1',
      metadata: { name: 'a' },
    });
  });

  it('is refused with a Status in its encoding', async () => {
    const client = socket('/api/v1/configmaps?watch=1&resourceVersion=x', accept);
    const [, response] = (await once(client, 'unexpected-response')) as [unknown, IncomingMessage];
    const bytes = Buffer.concat(await response.toArray());
    expect(response.headers['content-type']).toBe(accept.split(';')[0]);
    expect(decodeBody(encoding, bytes)).toMatchObject({ kind: 'Status', code: response.statusCode });
    expect(response.statusCode).toBe(400);
  });
});
