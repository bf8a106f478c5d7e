import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EncodingName } from '../../src/codec/media-types.ts';
import { TestApi } from './api.ts';
import { expectMeans } from './expect-means.ts';
import { decodeBody, encodingNames, mediaTypeOf, protobufNames, type Typed } from './peer-codecs.ts';
import { RawClient } from './raw-client.ts';

const aggregated = ';g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const paths = ['/api', '/apis', '/apis/apps', '/apis/autoscaling', '/api/v1', '/apis/apps/v1', '/apis/batch/v1'];

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

/** The protobuf envelope always has a version, even if it is empty. */
const versioned = (encoding: EncodingName, document: Typed): Typed =>
  encoding === 'protobuf' ? { ...document, apiVersion: document.apiVersion ?? '' } : document;

const spoken = [
  ...encodingNames.map((encoding) => ({ encoding, type: mediaTypeOf[encoding] })),
  { encoding: 'protobuf' as const, type: protobufNames[1] },
];

describe.each(spoken)('discovery in $type', ({ encoding, type }) => {
  it.each(paths)('has the same content at %s as in JSON', async (path) => {
    for (const protocol of ['HTTP/1.1', 'HTTP/2'] as const) {
      const { status, headers, bytes } = await client.call('GET', path, { headers: { accept: type }, protocol });
      expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type });
      expectMeans(encoding, decodeBody(encoding, bytes), versioned(encoding, (await api.get(path)).body));
    }
  });

  it.each(['/api', '/apis'])('has everything in one document at %s, with the ETag of JSON', async (path) => {
    const accept = `${type}${aggregated}`;
    const json = await api.get(path, { headers: { accept: `application/json${aggregated}` } });
    const { status, headers, bytes } = await client.get(path, accept);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': accept,
      etag: json.headers.etag,
      vary: 'Accept',
      'cache-control': 'public',
    });
    expectMeans(encoding, decodeBody(encoding, bytes), json.body);

    const again = await client.call('GET', path, { headers: { accept, 'if-none-match': String(json.headers.etag) } });
    expect({ status: again.status, etag: again.headers.etag, size: again.bytes.length }).toEqual({
      status: 304,
      etag: json.headers.etag,
      size: 0,
    });
  });

  it('falls back to the list of groups where the version is not known', async () => {
    const accept = `${type}${aggregated.replace('v2', 'v9')}, ${type}`;
    const { status, headers, bytes } = await client.get('/apis', accept);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type });
    expect(decodeBody(encoding, bytes).kind).toBe('APIGroupList');
  });

  it.each(['/apis/apps/v9', '/api/v9'])('tells that there is nothing at %s', async (path) => {
    const { status, headers, bytes } = await client.get(path, type);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 404, type });
    expect(decodeBody(encoding, bytes)).toMatchObject({ kind: 'Status', reason: 'NotFound', code: 404 });
  });

  it('is not touched by pretty, unless it is JSON', async () => {
    for (const parameters of ['', aggregated]) {
      const { bytes } = await client.get('/apis', `${type}${parameters}`);
      const pretty = await client.get('/apis?pretty=true', `${type}${parameters}`);
      expect(pretty.bytes.equals(bytes)).toBe(encoding !== 'json');
    }
  });
});

it('pages that are JSON alone say so', async () => {
  for (const type of [mediaTypeOf.yaml, mediaTypeOf.protobuf]) {
    const { status, headers, bytes } = await client.get('/version', type);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 406, type });
    const encoding = type === mediaTypeOf.yaml ? 'yaml' : 'protobuf';
    expect(decodeBody(encoding, bytes).message).toBe(
      '406: Not Acceptable\n\nAvailable representations: application/json',
    );
    expect((await client.get('/version', `${type}, */*`)).status).toBe(200);
  }
});
