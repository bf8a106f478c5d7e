import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EncodingName } from '../../src/codec/media-types.ts';
import { expectSame } from '../codec/expect-same.ts';
import { TestApi } from './api.ts';
import { decodeBody, encodeBody, encodingNames, mediaTypeOf, protobufNames, type Typed } from './peer-codecs.ts';
import { RawClient } from './raw-client.ts';
import { long, named, samples, withLongNumber } from './sample-objects.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const [configMap] = samples as [(typeof samples)[0]];
const deployments = samples.at(-1)!;
const pairs = encodingNames.flatMap((sent) => encodingNames.map((wanted) => ({ sent, wanted })));

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

interface Send {
  readonly sent: EncodingName;
  readonly wanted: EncodingName;
  readonly object: Typed;
}

function send(method: string, path: string, { sent, wanted, object }: Send) {
  const headers = { 'content-type': mediaTypeOf[sent], accept: mediaTypeOf[wanted] };
  return client.call(method, path, { headers, body: encodeBody(sent, object) });
}

/** Removes the fields that the server sets, because they differ between objects. */
function given({ metadata, ...rest }: Typed): object {
  const { labels, annotations, name } = metadata;
  return { ...rest, metadata: { name, labels, annotations } };
}

describe.each(pairs)('a body in $sent with a response in $wanted', ({ sent, wanted }) => {
  const name = `${sent}-${wanted}`;

  it('creates an object, then replaces it', async () => {
    const object = named(configMap, name);
    const created = await send('POST', configMaps, { sent, wanted, object });
    expect(created.status).toBe(200);
    expect(created.headers['content-type']).toBe(mediaTypeOf[wanted]);
    const responded = decodeBody(wanted, created.bytes);
    expect(given(responded)).toEqual(given(object));
    expect((await api.get(`${configMaps}/${name}`)).body.metadata.uid).toBe(responded.metadata.uid);

    const { resourceVersion } = responded.metadata;
    const changed = { ...object, metadata: { ...object.metadata, resourceVersion }, data: { other: 'x' } };
    const replaced = await send('PUT', `${configMaps}/${name}`, { sent, wanted, object: changed });
    expect(replaced.status).toBe(200);
    expect(replaced.headers['content-type']).toBe(mediaTypeOf[wanted]);
    expect(decodeBody(wanted, replaced.bytes).data).toEqual({ other: 'x' });
    expect((await api.get(`${configMaps}/${name}`)).body.data).toEqual({ other: 'x' });

    const stale = await send('PUT', `${configMaps}/${name}`, { sent, wanted, object: changed });
    expect(stale.status).toBe(409);
    expect(decodeBody(wanted, stale.bytes)).toMatchObject({ kind: 'Status', reason: 'Conflict', code: 409 });
  });

  it('replaces an object that is not there by a new one', async () => {
    const object = named(configMap, `put-${name}`);
    const { status, bytes } = await send('PUT', `${configMaps}/put-${name}`, { sent, wanted, object });
    expect(status).toBe(201);
    expect(given(decodeBody(wanted, bytes))).toEqual(given(object));
  });

  it('has the options of a delete obeyed', async () => {
    const path = `${configMaps}/delete-${name}`;
    const created = await api.post(configMaps, { metadata: { name: `delete-${name}` } });
    const { uid, resourceVersion } = created.body.metadata;
    const attempt = (options: object) =>
      send('DELETE', path, { sent, wanted, object: { kind: 'DeleteOptions', apiVersion: 'v1', ...options } });

    const refused = await attempt({ preconditions: { uid: 'another' } });
    expect(refused.status).toBe(409);
    expect(refused.headers['content-type']).toBe(mediaTypeOf[wanted]);
    expect(decodeBody(wanted, refused.bytes).message).toContain('the UID in the precondition (another) does not match');
    expect((await attempt({ preconditions: { resourceVersion: '1' } })).status).toBe(409);

    const dry = await attempt({ dryRun: ['All'] });
    expect(dry.status).toBe(200);
    expect((await api.get(path)).status).toBe(200);

    const gone = await attempt({ preconditions: { uid, resourceVersion } });
    expect(gone.status).toBe(200);
    expect(gone.headers['content-type']).toBe(mediaTypeOf[wanted]);
    expect(decodeBody(wanted, gone.bytes)).toMatchObject({
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Success',
      details: { name: `delete-${name}`, kind: 'configmaps', uid },
    });
    expect((await api.get(path)).status).toBe(404);
  });
});

/** Removes the metadata that differs between objects. A second may pass between two writes. */
function withoutOwnValues(metadata: { managedFields?: object[] }): object {
  const managedFields = metadata.managedFields?.map((entry) => ({ ...entry, time: '' }));
  return { ...metadata, uid: '', creationTimestamp: '', managedFields };
}

describe.each(encodingNames)('a body in %s', (sent) => {
  it.each([...samples])('becomes what it becomes in JSON: $object.kind', async ({ path, object }) => {
    const dryRun = `${path}?dryRun=All`;
    const { body } = await api.post(dryRun, object);
    const { status, bytes } = await send('POST', dryRun, { sent, wanted: 'json', object });
    expect(status).toBe(200);
    const { metadata: expected, ...rest } = body;
    const { metadata, ...restOfResponse } = JSON.parse(bytes.toString());
    expectSame(restOfResponse, rest);
    expect(withoutOwnValues(metadata)).toEqual(withoutOwnValues(expected));
  });

  it('keeps integers to the last digit', async () => {
    const object = withLongNumber(deployments, `long-${sent}`);
    const path = `${deployments.path}?dryRun=All`;
    const headers = { 'content-type': mediaTypeOf[sent] };
    const body = sent === 'yaml' ? encodeBody('json', object) : encodeBody(sent, object);
    const { status, bytes } = await client.call('POST', path, { headers, body });
    expect(status).toBe(200);
    expect(bytes.toString()).toContain(`"terminationGracePeriodSeconds":${long}`);
  });

  it.each(['DELETE', 'POST'])('is refused if it is not an object: %s', async (method) => {
    const path = method === 'POST' ? configMaps : `${configMaps}/absent`;
    const headers = { 'content-type': mediaTypeOf[sent] };
    const list = { json: '[]', yaml: '- a', protobuf: '[]', cbor: '\x80' }[sent];
    const response = await client.call(method, path, { headers, body: Buffer.from(list, 'latin1') });
    expect(response.status).toBe(400);
    expect(JSON.parse(response.bytes.toString())).toMatchObject({ kind: 'Status', reason: 'BadRequest', code: 400 });
  });
});

it.each([...protobufNames])('a body may be called %s, and so may the response', async (type) => {
  const object = named(configMap, type.split('.')[1]!);
  for (const protocol of ['HTTP/1.1', 'HTTP/2'] as const) {
    const headers = { 'content-type': type, accept: type };
    const body = encodeBody('protobuf', object);
    const {
      status,
      headers: head,
      bytes,
    } = await client.call('POST', `${configMaps}?dryRun=All`, {
      headers,
      body,
      protocol,
    });
    expect({ status, type: head['content-type'] }).toEqual({ status: 200, type });
    expect(given(decodeBody('protobuf', bytes))).toEqual(given(object));
  }
});

it.each(encodingNames)('writes are answered in another form where it is asked for, in %s', async (wanted) => {
  const acceptAs = (kind: string): string => `${mediaTypeOf[wanted]};as=${kind};g=meta.svc.io;v=v1`;
  const call = async (kind: string) => {
    const headers = { 'content-type': 'application/json', accept: acceptAs(kind) };
    const body = JSON.stringify(named(configMap, 'form'));
    const response = await client.call('POST', `${configMaps}?dryRun=All`, { headers, body });
    expect({ status: response.status, type: response.headers['content-type'] }).toEqual({
      status: 200,
      type: mediaTypeOf[wanted],
    });
    return decodeBody(wanted, response.bytes);
  };
  const table = await call('Table');
  expect({ kind: table.kind, apiVersion: table.apiVersion, name: table.rows[0].cells[0] }).toEqual({
    kind: 'Table',
    apiVersion: 'meta.svc.io/v1',
    name: 'form',
  });
  const partial = await call('PartialObjectMetadata');
  expect(partial).toMatchObject({ kind: 'PartialObjectMetadata', apiVersion: 'meta.svc.io/v1' });
  expect(partial.metadata.labels).toEqual({ yes: 'no' });
  expect(partial).not.toHaveProperty('data');
});
