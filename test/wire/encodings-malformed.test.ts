import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EncodingName } from '../../src/codec/media-types.ts';
import { cpuTime } from '../codec/cpu-time.ts';
import { usedMemory } from '../used-memory.ts';
import { TestApi } from './api.ts';
import { decodeBody, encodeBody, encodingNames, mediaTypeOf } from './peer-codecs.ts';
import { RawClient } from './raw-client.ts';
import { samples } from './sample-objects.ts';

/** Objects of this type contain a value of any type. */
const revisions = samples.find(({ object }) => object.kind === 'ControllerRevision')!;
const bodyLimit = 3 * 1024 * 1024;
const deep = 100_000;
/** Processor time, because other processes may slow down the machine. */
const maxMs = 20_000;

let api: TestApi;
let client: RawClient;
beforeAll(async () => {
  api = await TestApi.start({ featureGates: 'CBORServingAndStorage=true' });
  client = new RawClient(api);
  await api.post(revisions.path, revisions.object);
});
afterAll(async () => {
  client.close();
  await api.stop();
});

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const nested = (open: string, close: string): Buffer => Buffer.from(open.repeat(deep) + close.repeat(deep));
const filled = (unit: string | Buffer): Buffer => Buffer.alloc(bodyLimit, unit);
/** Returns the document without its end. */
const cut = (encoding: EncodingName, share: number): Buffer => {
  const body = encodeBody(encoding, revisions.object);
  return body.subarray(0, Math.floor(body.length * share));
};

/** Each line refers to the previous one ten times. */
function aliasBomb(): Buffer {
  const line = (level: number): string => `a${level}: &a${level} [${`*a${level - 1},`.repeat(10)}]`;
  return Buffer.from(['a0: &a0 lol', ...Array.from({ length: 30 }, (_, index) => line(index + 1))].join('\n'));
}

const malformed: Readonly<Record<EncodingName, readonly (readonly [string, Buffer])[]>> = {
  json: [
    ['nothing', Buffer.alloc(0)],
    ['half of it', cut('json', 0.5)],
    ['most of it', cut('json', 0.99)],
    ['bad UTF-8', Buffer.from('{"metadata":{"name":"\xff"}}', 'latin1')],
    ['lists in lists', nested('[', ']')],
    ['a deep value', Buffer.from(`{"data":${'['.repeat(deep)}${']'.repeat(deep)}}`)],
    ['open brackets', filled('[')],
  ],
  yaml: [
    ['a flow that does not end', Buffer.from('metadata: {name: a')],
    ['a text that does not end', Buffer.from('metadata: "a')],
    ['a tab', Buffer.from('metadata:\n\tname: a')],
    ['bad UTF-8', Buffer.from('metadata:\n  name: "\xff"', 'latin1')],
    ['lists in lists', nested('[', ']')],
    ['open brackets', filled('[')],
    ['dashes', filled('- ')],
    ['aliases of aliases', aliasBomb()],
    ['a value that contains itself', Buffer.from('data: &a [*a]')],
    ['two documents', Buffer.from('metadata: {name: two-1}\n---\nmetadata: {name: two-2}\n')],
    ['a document behind the end', Buffer.from('metadata: {name: two-1}\n...\nmetadata: {name: two-2}\n')],
    ['an alias of nothing', Buffer.from('data: *a')],
  ],
  protobuf: [
    ['nothing', Buffer.alloc(0)],
    ['a wrong prefix', hex('6b387301')],
    ['the prefix alone', hex('6b387300')],
    ['half of it', cut('protobuf', 0.5)],
    ['most of it', cut('protobuf', 0.9)],
    ['JSON', Buffer.from('{"metadata":{"name":"a"}}')],
    ['a length of 8 EiB', hex('6b38730012ffffffffffffffff7f')],
    ['a length without an end', Buffer.concat([hex('6b38730012'), Buffer.alloc(bodyLimit - 5, 0xff)])],
    ['groups in groups', Buffer.concat([hex('6b387300'), Buffer.alloc(bodyLimit - 4, 0x7b)])],
    ['bad UTF-8', hex('6b38730012060a040a02ffff')],
    ['a content encoding', Buffer.concat([encodeBody('protobuf', revisions.object), hex('1a04677a6970')])],
    ['another content type', Buffer.concat([encodeBody('protobuf', revisions.object), hex('2203782f79')])],
    ['JSON that is nested', encodeRaw(nested('[', ']'))],
  ],
  cbor: [
    ['nothing', Buffer.alloc(0)],
    ['half of it', cut('cbor', 0.5)],
    ['most of it', cut('cbor', 0.99)],
    ['bad UTF-8', hex('a1686d65746164617461a1646e616d6561ff')],
    ['lists in lists', Buffer.concat([Buffer.alloc(deep, 0x81), hex('80')])],
    ['open maps', filled(hex('a14161'))],
    ['a text of 8 EiB', hex('a141617b7fffffffffffffff61')],
    ['a map of 16 Ei entries', hex('bbffffffffffffffff416101')],
  ],
};

/** Encodes an object whose value of any type is this JSON. */
function encodeRaw(json: Buffer): Buffer {
  const protobufField = (tag: number, content: Buffer): Buffer => {
    const length: number[] = [];
    for (let rest = content.length; ; rest >>>= 7) {
      if (rest < 0x80) return Buffer.concat([Buffer.from([tag, ...length, rest]), content]);
      length.push((rest & 0x7f) | 0x80);
    }
  };
  return Buffer.concat([hex('6b387300'), protobufField(0x12, protobufField(0x12, protobufField(0x0a, json)))]);
}

async function send(encoding: EncodingName, body: Buffer, method = 'POST') {
  const headers = { 'content-type': mediaTypeOf[encoding], accept: mediaTypeOf[encoding] };
  const path = method === 'POST' ? revisions.path : `${revisions.path}/sample`;
  const start = process.cpuUsage();
  const { status, bytes } = await client.call(method, path, { headers, body });
  return { status, body: decodeBody(encoding, bytes), milliseconds: cpuTime(start) };
}

describe.each(encodingNames)('a body that is not %s', (encoding) => {
  it.each([...malformed[encoding]])('is refused: %s', async (_what, body) => {
    for (const method of ['POST', 'PUT']) {
      const response = await send(encoding, body, method);
      expect(response.body).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'BadRequest', code: 400 });
      expect(response.status).toBe(400);
      expect(response.body.message.length).toBeLessThan(1_000);
      expect(response.milliseconds).toBeLessThan(maxMs);
    }
    expect((await api.get(`${revisions.path}/sample`)).status).toBe(200);
  });

  it('is refused as the options of a delete', async () => {
    // Options of a delete must not be ignored: a body that is not empty must be valid.
    for (const [, body] of malformed[encoding].filter(([, { length }]) => length > 0 && length < 1_000)) {
      const response = await send(encoding, body, 'DELETE');
      expect(response.body).toMatchObject({ kind: 'Status', reason: 'BadRequest', code: 400 });
    }
    expect((await api.get(`${revisions.path}/sample`)).status).toBe(200);
  });

  it.each(['HTTP/1.1', 'HTTP/2'] as const)('or too large is refused over %s', async (protocol) => {
    const headers = { 'content-type': mediaTypeOf[encoding], accept: mediaTypeOf[encoding] };
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const path = method === 'POST' ? revisions.path : `${revisions.path}/sample`;
      const body = Buffer.alloc(bodyLimit + 1, ' ');
      const { status, bytes } = await client.call(method, path, { headers, body, protocol });
      expect(status).toBe(413);
      expect(decodeBody(encoding, bytes)).toMatchObject({
        kind: 'Status',
        reason: 'RequestEntityTooLarge',
        message: `Request entity too large: limit is ${bodyLimit}`,
        code: 413,
      });
    }
  });
});

describe('what malformed bodies leave behind', () => {
  const round = async (): Promise<number> => {
    const bodies = encodingNames.flatMap((encoding) => malformed[encoding].map(([, body]) => ({ encoding, body })));
    for (const { encoding, body } of bodies) expect((await send(encoding, body)).status).toBe(400);
    return bodies.length;
  };

  it('is nothing', async () => {
    await round();
    const before = { used: usedMemory(), rss: process.memoryUsage().rss };
    let sent = 0;
    while (sent < 100) sent += await round();
    // Collected memory is not released at once.
    await vi.waitUntil(() => usedMemory() - before.used < 32e6, { interval: 20 });
    expect(process.memoryUsage().rss - before.rss).toBeLessThan(256e6);
    expect((await api.get('/readyz')).status).toBe(200);
  });
});
