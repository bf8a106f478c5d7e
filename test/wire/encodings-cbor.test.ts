import { encode } from 'cborg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { decodeBody } from './peer-codecs.ts';
import { RawClient } from './raw-client.ts';
import { warningsOf } from './warnings-of.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const dryRun = `${configMaps}?dryRun=All`;
const cbor = 'application/cbor';
const selfDescribed = Buffer.from('d9d9f7', 'hex');
const unrecognized = 'the object provided is unrecognized (must be of type ConfigMap): ';
const unreadable = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: ';
const undetermined = `${unrecognized}unable to determine group/version/kind: `;

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

async function post(body: Buffer, path = dryRun) {
  const { status, headers, bytes } = await client.call('POST', path, { headers: { 'content-type': cbor }, body });
  return { status, warnings: warningsOf(headers), body: JSON.parse(bytes.toString()) };
}

const item = (...pieces: (string | Buffer)[]): Buffer =>
  Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'hex') : piece)));
const text = (value: string): Buffer => Buffer.from(encode(value));
const bytes = (value: string): Buffer => Buffer.from(encode(Buffer.from(value)));
/** The metadata of an object, as a map with one entry. */
const metadata = item('a1', text('name'), text('c'));

describe('what is written', () => {
  it('begins with the mark of CBOR, with texts as byte strings', async () => {
    await api.post(configMaps, { metadata: { name: 'written' }, data: { k: 'v' }, binaryData: { b: 'AAEC' } });
    const response = await client.get(`${configMaps}/written`, cbor);
    expect(response.bytes.subarray(0, 3).equals(selfDescribed)).toBe(true);
    expect(response.bytes.includes(item(bytes('kind'), bytes('ConfigMap')))).toBe(true);
    expect(response.bytes.includes(item(bytes('data'), 'a1', bytes('k'), bytes('v')))).toBe(true);
    // Bytes have the tag for data that is base64 in JSON.
    expect(response.bytes.includes(item(bytes('binaryData'), 'a1', bytes('b'), 'd643000102'))).toBe(true);
    expect(response.bytes.includes(text('ConfigMap'))).toBe(false);
  });

  it('has the mark once in a list, and once more around each object of a stream', async () => {
    const list = await client.get(configMaps, cbor);
    expect(list.bytes.subarray(0, 3).equals(selfDescribed)).toBe(true);
    expect(list.bytes.indexOf(selfDescribed, 3)).toBe(-1);
    const path = `${configMaps}?watch=1&fieldSelector=metadata.name%3Dwritten`;
    const { body, close: leave } = await client.open('GET', path, { headers: { accept: cbor } });
    const [event] = await body.take(1).toArray();
    leave();
    expect(event.subarray(0, 3).equals(selfDescribed)).toBe(true);
    expect(event.includes(item(bytes('object'), selfDescribed))).toBe(true);
  });
});

describe('what is read', () => {
  it.each([
    ['with the mark', item(selfDescribed, 'a1', text('metadata'), metadata)],
    ['without it', item('a1', text('metadata'), metadata)],
    ['byte strings', item('a1', bytes('metadata'), 'a1', bytes('name'), bytes('c'))],
    ['indefinite lengths', item('bf', text('metadata'), 'bf', text('name'), '7f', text('c'), 'ff', 'ff', 'ff')],
    ['another tag', item('a1', text('metadata'), 'c6', metadata)],
  ])('may have %s', async (_what, body) => {
    const { status, body: response } = await post(body);
    expect(status).toBe(200);
    expect(response.metadata.name).toBe('c');
  });

  it.each([
    ['as base64 text', item(text('AAEC'))],
    ['as base64 in a byte string', item(bytes('AAEC'))],
    ['as what would be base64', item('d643000102')],
  ])('has bytes %s', async (_what, value) => {
    const binaryData = item(text('binaryData'), 'a1', text('b'), value);
    const { status, body } = await post(item('a2', text('metadata'), metadata, binaryData));
    expect(status).toBe(200);
    expect(body.binaryData).toEqual({ b: 'AAEC' });
  });

  it.each([
    ['nothing', '', `${undetermined}EOF (<empty>)`],
    ['a break', 'ff', `${undetermined}cbor: unexpected "break" code (ff)`],
    ['duplicate keys', 'a2416101416102', `${undetermined}cbor: found duplicate map key "a" at map element index 1`],
    ['more than one item', 'a0a0', `${undetermined}cbor: 1 bytes of extraneous data starting at index 1 (a0a0)`],
    ['a list', '80', `${undetermined}cbor: cannot unmarshal array into Go value of type v1.TypeMeta`],
    ['half a map', 'a24161', `${undetermined}unexpected EOF (a24161)`],
    ['bad UTF-8', 'a1616161ff', `${unreadable}cbor: invalid UTF-8 string`],
    ['undefined', 'a16161f7', `${unreadable}cbor: data item of cbor type primitives is not accepted by protocol: `],
    ['NaN', 'a16161f97e00', `${undetermined}cbor: data item of cbor type primitives is not accepted by protocol: `],
    ['a bignum', 'a16161c249010000000000000000', `${undetermined}cbor: data item of cbor type tag is not accepted`],
  ])('is refused at every level: %s', async (_what, body, message) => {
    for (const level of ['Ignore', 'Warn', 'Strict']) {
      const { status, body: response } = await post(Buffer.from(body, 'hex'), `${dryRun}&fieldValidation=${level}`);
      expect(status).toBe(400);
      expect(response).toMatchObject({ kind: 'Status', reason: 'BadRequest', code: 400 });
      expect(response.message.slice(0, message.length)).toBe(message);
    }
  });
});

describe('unknown fields', () => {
  const unknown = item('a3', text('metadata'), metadata, text('foo'), '01', text('bar'), '02');
  const finding = 'cbor: found unknown field at map element index 1';

  it('are told by their place', async () => {
    const { status, warnings } = await post(unknown);
    expect({ status, warnings }).toEqual({ status: 200, warnings: [finding] });
    expect((await post(unknown, `${dryRun}&fieldValidation=Ignore`)).warnings).toEqual([]);
    const strict = await post(unknown, `${dryRun}&fieldValidation=Strict`);
    expect(strict.status).toBe(400);
    expect(strict.body.message).toBe(
      `ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ${finding}`,
    );
  });

  it('may be numbers', async () => {
    const { status, warnings, body } = await post(item('a1', '01', '02'));
    expect({ status, warnings }).toEqual({
      status: 422,
      warnings: ['cbor: found unknown field at map element index 0'],
    });
    expect(body.message).toBe(
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    );
  });
});

it('a response in CBOR can be sent back', async () => {
  await api.post(configMaps, { metadata: { name: 'back' }, data: { k: 'v' }, binaryData: { b: '/w==' } });
  const read = await client.get(`${configMaps}/back`, cbor);
  const headers = { 'content-type': cbor, accept: cbor };
  const written = await client.call('PUT', `${configMaps}/back`, { headers, body: read.bytes });
  expect(written.status).toBe(200);
  expect(decodeBody('cbor', written.bytes)).toEqual(decodeBody('cbor', read.bytes));
  expect(warningsOf(written.headers)).toEqual([]);
});
