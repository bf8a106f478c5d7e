import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EncodingName } from '../../src/codec/media-types.ts';
import { TestApi } from './api.ts';
import { decodeBody, encodeBody, encodingNames, mediaTypeOf } from './peer-codecs.ts';
import { RawClient } from './raw-client.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const item = `${configMaps}/present`;
const protobuf = 'application/vnd.kubernetes.protobuf';
const types = `application/json, application/yaml, ${protobuf}`;
const streamTypes = `application/json;stream=watch, ${protobuf};stream=watch`;
const only = (mediaTypes: string): string => `only the following media types are accepted: ${mediaTypes}`;
const available = (mediaTypes: string): string => `406: Not Acceptable\n\nAvailable representations: ${mediaTypes}`;
const accepted = (mediaTypes: string): string =>
  `the body of the request was in an unknown format - accepted media types include: ${mediaTypes}`;
const table = ';as=Table;g=meta.k8s.io;v=v1';

let api: TestApi;
let client: RawClient;
/** A server without CBOR. */
let plain: TestApi;
beforeAll(async () => {
  [api, plain] = await Promise.all([
    TestApi.start({ featureGates: 'CBORServingAndStorage=true' }),
    TestApi.start({ featureGates: 'CBORServingAndStorage=false' }),
  ]);
  client = new RawClient(api);
  for (const server of [api, plain]) await server.post(configMaps, { metadata: { name: 'present' }, data: { a: 'b' } });
});
afterAll(async () => {
  client.close();
  await Promise.all([api.stop(), plain.stop()]);
});

function get(path: string, accept: string, server = plain) {
  return server.get(path, { headers: { accept } });
}

describe('the type of a response', () => {
  it.each([
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/yaml;q=0.9,application/json;q=0.8', 'application/yaml'],
    ['application/json;q=0.8,application/yaml;q=0.9', 'application/yaml'],
    ['application/yaml;q=0.4,*/*;q=0.5', 'application/json'],
    ['*/*;q=0.5,application/yaml;q=0.4', 'application/json'],
    ['*/*,application/yaml', 'application/yaml'],
    ['application/*,application/yaml', 'application/yaml'],
    ['application/json;q=0,application/yaml;q=0.1', 'application/yaml'],
    ['application/json;q=0,*/*', 'application/yaml'],
    ['*/*;q=0,application/json', 'application/json'],
    ['APPLICATION/YAML', 'application/yaml'],
    ['Application/YAML; Q=0.5, application/xml', 'application/yaml'],
    ['APPLICATION/VND.KUBERNETES.PROTOBUF', protobuf],
    [`${protobuf},application/json`, protobuf],
    [`application/json,${protobuf}`, 'application/json'],
    ['application/vnd.svc.protobuf,application/json', 'application/vnd.svc.protobuf'],
    ['application/xml,application/yaml', 'application/yaml'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
    ['application/yaml;foo=bar', 'application/yaml'],
    ['application/yaml;charset=utf-8', 'application/yaml'],
    [' application/yaml ', 'application/yaml'],
    ['application/yaml,', 'application/yaml'],
    ['application/cbor,application/yaml', 'application/yaml'],
    [`${protobuf};stream=watch`, protobuf],
    ['application/yaml;stream=watch,application/json', 'application/json'],
    ['application/yaml;as=Nothing;g=meta.k8s.io;v=v1,application/yaml', 'application/yaml'],
    [`application/yaml;as=Table;g=other.io;v=v1,${protobuf}`, protobuf],
    [`application/xml${table},application/yaml${table}`, 'application/yaml'],
  ])('for %j is %s', async (accept, expected) => {
    const { status, headers } = await get(item, accept);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: expected });
  });

  it.each([
    ['application/xml', item, available(types)],
    ['text/*', item, available(types)],
    ['application/cbor', item, available(types)],
    ['application/json;q=0', item, only(types)],
    ['application/json;q=0.0', configMaps, only(types)],
    ['*/*;q=0', item, available(types)],
    ['application/json;q=0', `${configMaps}?watch=1`, only(streamTypes)],
    ['application/xml', configMaps, available(`${types}, ${streamTypes}`)],
    ['application/xml', `${configMaps}?watch=1`, available(`${types}, ${streamTypes}`)],
    ['application/yaml;as=Table', item, only(types)],
    ['application/yaml;as=Table;g=meta.k8s.io;v=v2', item, only(types)],
    ['application/yaml;as=Other;g=meta.k8s.io;v=v1', configMaps, only(types)],
    ['application/yaml;stream=watch', item, only(types)],
    ['application/yaml', `${configMaps}?watch=1`, only(streamTypes)],
    [`application/yaml${table}`, `${configMaps}?watch=1`, only(streamTypes)],
    ['application/xml', '/apis', available(types)],
    ['application/cbor', '/api/v1', available(types)],
  ])('for %j is none: %s', async (accept, path, message) => {
    const { status, headers, text } = await get(path, accept);
    expect(status).toBe(406);
    const encoding: EncodingName = accept === 'application/yaml' ? 'yaml' : 'json';
    expect(headers['content-type']).toBe(mediaTypeOf[encoding]);
    const body = decodeBody(encoding, Buffer.from(text));
    expect(body).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'NotAcceptable', code: 406, message });
    // If no requested type is supported, the response is indented JSON for human readers.
    if (encoding === 'json') expect(text).toBe(JSON.stringify(body, undefined, 2));
  });

  it('names CBOR where it is supported', async () => {
    const [all, streams] = [`${types}, application/cbor`, `${streamTypes}, application/cbor-seq`];
    expect((await get(item, 'application/xml', api)).body.message).toBe(available(all));
    expect((await get(configMaps, 'application/xml', api)).body.message).toBe(available(`${all}, ${streams}`));
    expect((await get(item, 'application/cbor-seq', api)).body.message).toBe(available(all));
    expect((await get(item, 'application/json;as=Table', api)).body.message).toBe(only(all));
    const watch = await get(`${configMaps}?watch=1`, 'application/json;as=Table', api);
    expect(watch.body.message).toBe(only(streams));
    expect((await api.post(configMaps, 'x', { headers: { 'content-type': 'text/plain' } })).body.message).toBe(
      accepted(all),
    );
  });

  it('is JSON in a watch for clients that prefer YAML', async () => {
    const headers = { accept: 'application/yaml, application/json' };
    const {
      status,
      headers: head,
      body,
      close: leave,
    } = await client.open('GET', `${configMaps}?watch=1`, { headers });
    expect({ status, type: head['content-type'] }).toEqual({ status: 200, type: 'application/json' });
    const [chunk] = await body.take(1).toArray();
    expect(String(chunk)).toMatch(/^{"type":"ADDED","object":{"kind":"ConfigMap"/);
    leave();
  });
});

describe('the type of a body', () => {
  it.each(['POST', 'PUT', 'DELETE'])('is refused if it is unknown: %s', async (method) => {
    for (const type of ['text/plain', 'application/cbor', 'application/json-patch+json', 'application/x']) {
      const path = method === 'POST' ? configMaps : item;
      const { status, body } = await plain.call(method, path, { body: 'x', headers: { 'content-type': type } });
      expect(status).toBe(415);
      expect(body).toMatchObject({
        kind: 'Status',
        reason: 'UnsupportedMediaType',
        code: 415,
        message: accepted(types),
      });
    }
  });

  it('may have parameters and capital letters', async () => {
    const body = 'metadata:\n  name: letters\n';
    for (const type of ['application/yaml; charset=utf-8', 'Application/YAML', ' application/yaml']) {
      const { status } = await plain.post(`${configMaps}?dryRun=All`, body, { headers: { 'content-type': type } });
      expect(status).toBe(200);
    }
  });

  it.each(['application/yaml', protobuf, 'application/cbor', 'application/json'])(
    'is, for a patch, not %s',
    async (type) => {
      const { status, body } = await api.call('PATCH', item, { body: '{}', headers: { 'content-type': type } });
      expect(status).toBe(415);
      expect(body).toMatchObject({ kind: 'Status', reason: 'UnsupportedMediaType', code: 415 });
    },
  );
});

interface Failing {
  readonly code: number;
  readonly reason: string;
  readonly method: string;
  readonly path?: string;
  readonly body?: string;
  readonly type?: string;
}

const failures: Failing[] = [
  { code: 400, reason: 'BadRequest', method: 'POST', body: '{' },
  { code: 404, reason: 'NotFound', method: 'GET', path: `${configMaps}/absent` },
  { code: 404, reason: 'NotFound', method: 'GET', path: '/api/v1/foos' },
  { code: 405, reason: 'MethodNotAllowed', method: 'PUT', body: '{}' },
  { code: 409, reason: 'AlreadyExists', method: 'POST', body: '{"metadata":{"name":"present"}}' },
  { code: 413, reason: 'RequestEntityTooLarge', method: 'POST', body: ' '.repeat(3 * 1024 * 1024 + 1) },
  { code: 415, reason: 'UnsupportedMediaType', method: 'POST', body: 'x', type: 'text/plain' },
  { code: 422, reason: 'Invalid', method: 'POST', body: '{"metadata":{"name":"B_"}}' },
];

function fail({ method, path = configMaps, body, type = 'application/json' }: Failing, accept: string) {
  const headers: Record<string, string> = body === undefined ? { accept } : { accept, 'content-type': type };
  return client.call(method, path, { headers, body });
}

describe.each(encodingNames)('an error in %s', (encoding) => {
  const accept = mediaTypeOf[encoding];

  it.each(failures)('is a Status: $code $reason', async (failure) => {
    const { code, reason } = failure;
    const { status, headers, bytes } = await fail(failure, accept);
    expect({ status, type: headers['content-type'] }).toEqual({ status: code, type: accept });
    const body = decodeBody(encoding, bytes);
    expect(body).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code });
    const expected = JSON.parse((await fail(failure, 'application/json')).bytes.toString());
    expect(body.message).toBe(expected.message);
    if (encoding !== 'protobuf') expect(body).toEqual(expected);
    else expect(body.details ?? {}).toMatchObject(expected.details ?? {});
  });

  it.each(failures)('is indented JSON for those who want nothing but a Table: $code', async (failure) => {
    const { status, headers, bytes } = await fail(failure, `${accept}${table}`);
    expect({ status, type: headers['content-type'] }).toEqual({ status: failure.code, type: 'application/json' });
    expect(bytes.toString()).toBe(JSON.stringify(JSON.parse(bytes.toString()), undefined, 2));
  });

  it('is JSON when a list of metadata is requested for one object', async () => {
    const { status, headers, bytes } = await client.get(
      item,
      `${accept};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`,
    );
    expect({ status, type: headers['content-type'] }).toEqual({ status: 406, type: 'application/json' });
    expect(JSON.parse(bytes.toString()).message).toBe(
      'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
    );
  });

  it('or an object is not touched by pretty, unless it is JSON', async () => {
    for (const path of [item, `${configMaps}/absent`, configMaps]) {
      const { bytes } = await client.get(path, accept);
      const pretty = await client.get(`${path}?pretty=true`, `${accept};pretty=1`);
      if (encoding === 'json') expect(pretty.bytes.toString()).toMatch(/^{\n {2}"kind": /);
      else expect(pretty.bytes.equals(bytes)).toBe(true);
    }
  });

  it('or not, a delete is answered with a Status or with the object', async () => {
    await api.post(configMaps, { metadata: { name: 'gone', finalizers: ['example.com/wait'] } });
    const marked = await client.call('DELETE', `${configMaps}/gone`, { headers: { accept } });
    expect(marked.headers['content-type']).toBe(accept);
    expect(decodeBody(encoding, marked.bytes)).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'gone' } });
    await api.patch(`${configMaps}/gone`, { metadata: { finalizers: null } });
    await api.post(configMaps, { metadata: { name: 'gone' } });
    const headers = { accept: `${accept}${table}, ${accept}`, 'content-type': accept };
    const body = encodeBody(encoding, { kind: 'DeleteOptions', apiVersion: 'v1' });
    const { status, headers: head, bytes } = await client.call('DELETE', `${configMaps}/gone`, { headers, body });
    expect({ status, type: head['content-type'] }).toEqual({ status: 200, type: accept });
    expect(decodeBody(encoding, bytes)).toMatchObject({ kind: 'Status', status: 'Success', details: { name: 'gone' } });
  });
});
