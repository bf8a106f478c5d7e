import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EncodingName } from '../../src/codec/media-types.ts';
import { TestApi } from './api.ts';
import { expectMeans } from './expect-means.ts';
import { decodeBody, encodeBody, mediaTypeOf, protobufNames, type Typed } from './peer-codecs.ts';
import { type Protocol, RawClient } from './raw-client.ts';
import { long, samples, withLongNumber } from './sample-objects.ts';

let api: TestApi;
let client: RawClient;
beforeAll(async () => {
  // Responses are compared with earlier ones, so nothing may write in between, not even the lease of controllers.
  api = await TestApi.start({ featureGates: 'CBORServingAndStorage=true', controllers: [] });
  client = new RawClient(api);
  for (const { path, object } of samples) expect((await api.post(path, object)).status).toBe(200);
});
afterAll(async () => {
  client.close();
  await api.stop();
});

interface Spoken {
  readonly encoding: EncodingName;
  readonly type: string;
  readonly protocol: Protocol;
}

const spoken: Spoken[] = [
  { encoding: 'json', type: mediaTypeOf.json, protocol: 'HTTP/2' },
  { encoding: 'yaml', type: mediaTypeOf.yaml, protocol: 'HTTP/1.1' },
  { encoding: 'yaml', type: mediaTypeOf.yaml, protocol: 'HTTP/2' },
  { encoding: 'protobuf', type: protobufNames[0], protocol: 'HTTP/2' },
  { encoding: 'protobuf', type: protobufNames[1], protocol: 'HTTP/1.1' },
  { encoding: 'cbor', type: mediaTypeOf.cbor, protocol: 'HTTP/1.1' },
  { encoding: 'cbor', type: mediaTypeOf.cbor, protocol: 'HTTP/2' },
];

interface Representation {
  readonly name: string;
  /** The parameters of the media type, for an object and for a list. */
  readonly parameters: { readonly object: string; readonly list: string };
  readonly apiVersion?: string;
  readonly query?: string;
}

function representation(
  name: string,
  target: { group: string; version: string; kind: string; query?: string },
): Representation {
  const { group, version, kind, query } = target;
  const parameters = (as: string): string => `;as=${as};g=${group};v=${version}`;
  const list = kind === 'Table' ? kind : `${kind}List`;
  return {
    name: `${name} of ${group}/${version}`,
    parameters: { object: parameters(kind), list: parameters(list) },
    apiVersion: `${group}/${version}`,
    ...(query !== undefined && { query }),
  };
}

const representations: Representation[] = [
  { name: 'the objects', parameters: { object: '', list: '' } },
  ...['meta.k8s.io', 'meta.svc.io'].flatMap((group) => [
    representation('a Table', { group, version: 'v1', kind: 'Table' }),
    representation('metadata', { group, version: 'v1', kind: 'PartialObjectMetadata' }),
  ]),
  representation('a Table with objects', {
    group: 'meta.k8s.io',
    version: 'v1',
    kind: 'Table',
    query: '?includeObject=Object',
  }),
  representation('a Table without objects', {
    group: 'meta.k8s.io',
    version: 'v1',
    kind: 'Table',
    query: '?includeObject=None',
  }),
  representation('metadata', { group: 'meta.svc.io', version: 'v1beta1', kind: 'PartialObjectMetadata' }),
  representation('a Table', { group: 'meta.k8s.io', version: 'v1beta1', kind: 'Table' }),
];

/**
 * Removes what differs between responses: the ages in tables, and the revision of lists, which changes when a server
 * that shares its storage renews a lease.
 */
function comparable(value: Typed): Typed {
  if (value.items !== undefined) return { ...value, metadata: { ...value.metadata, resourceVersion: undefined } };
  if (value.kind !== 'Table') return value;
  const rows = value.rows.map((row: { cells: unknown[] }) => ({
    ...row,
    cells: row.cells.map((cell) => (typeof cell === 'string' ? cell.replace(/^(\d+[smhd])+$/, 'young') : cell)),
  }));
  return { ...value, metadata: { ...value.metadata, resourceVersion: undefined }, rows };
}

/** The JSON responses by path and parameters. Nothing is written while they are compared. */
const references = new Map<string, Typed>();

async function readJson(path: string, parameters: string): Promise<Typed> {
  const key = `${path} ${parameters}`;
  const known = references.get(key);
  if (known !== undefined) return known;
  const { body } = await api.get(path, { headers: { accept: `${mediaTypeOf.json}${parameters}` } });
  const reference = comparable(body);
  references.set(key, reference);
  return reference;
}

describe.each(spoken)('$type over $protocol', (way) => {
  const { encoding, type, protocol } = way;
  // For objects, the protocol and the name of the encoding make no difference.
  const isRepeated = spoken.find((other) => other.encoding === encoding) !== way;
  const compared = isRepeated ? samples.slice(0, 2) : samples;
  const read = async (path: string, parameters: string): Promise<Typed> => {
    const headers = { accept: `${type}${parameters}` };
    const response = await client.call('GET', path, { headers, protocol });
    expect({ status: response.status, type: response.headers['content-type'] }).toEqual({ status: 200, type });
    expect(response.headers['cache-control']).toBe('no-cache, private');
    return decodeBody(encoding, response.bytes);
  };
  describe.each(representations)('has $name', ({ parameters, apiVersion, query = '' }) => {
    it('as of JSON, for one object and for a list', async () => {
      for (const { path, object } of compared) {
        const one = await read(`${path}/sample${query}`, parameters.object);
        expect(one.apiVersion).toBe(apiVersion ?? object.apiVersion);
        expectMeans(encoding, comparable(one), await readJson(`${path}/sample${query}`, parameters.object));

        const list = await read(`${path}${query}`, parameters.list);
        expect(list.apiVersion).toBe(apiVersion ?? object.apiVersion);
        expectMeans(encoding, comparable(list), await readJson(`${path}${query}`, parameters.list));
      }
    });
  });

  it('has what JSON has of every object there is', async () => {
    for (const path of ['/api/v1/namespaces', '/apis/scheduling.k8s.io/v1/priorityclasses', '/api/v1/services']) {
      const list = await read(path, '');
      expect(list.items.length).toBeGreaterThan(0);
      expectMeans(encoding, comparable(list), await readJson(path, ''));
    }
  });

  it('has a Status for an absent object, whatever form was preferred', async () => {
    const headers = { accept: `${type};as=Table;g=meta.svc.io;v=v1, ${type}` };
    const { status, headers: head, bytes } = await client.call('GET', '/api/v1/nodes/absent', { headers, protocol });
    expect({ status, type: head['content-type'] }).toEqual({ status: 404, type });
    expect(decodeBody(encoding, bytes)).toMatchObject({
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      message: 'nodes "absent" not found',
      reason: 'NotFound',
      details: { name: 'absent', kind: 'nodes' },
      code: 404,
    });
  });
});

it.each(spoken)('integers are exact in $type over $protocol', async ({ encoding, type, protocol }) => {
  const deployments = samples.at(-1)!;
  const name = `long-${type.replaceAll(/[^a-z]/g, '')}-${protocol === 'HTTP/2' ? 2 : 1}`;
  await api.post(deployments.path, encodeBody('json', withLongNumber(deployments, name)));
  const headers = { accept: type };
  const path = `${deployments.path}/${name}`;
  const { bytes } = await client.call('GET', path, { headers, protocol });
  if (encoding === 'yaml') expect(bytes.toString()).toContain(`terminationGracePeriodSeconds: ${long}\n`);
  else expect(decodeBody(encoding, bytes).spec.template.spec.terminationGracePeriodSeconds).toBe(long);
  await api.delete(path);
});

it('the envelope of a response tells the type once and leaves the rest empty', async () => {
  const { bytes } = await client.get('/api/v1/namespaces/default', mediaTypeOf.protobuf);
  expect(bytes.subarray(0, 21).toString('latin1')).toBe('k8s\0\n\x0f\n\x02v1\x12\tNamespace');
  expect(bytes.subarray(-4).toString('hex')).toBe('1a002200');
});

it('YAML has its keys sorted and its lists at the level of their keys', async () => {
  const { bytes } = await client.get('/api/v1/namespaces/default/services/kubernetes', mediaTypeOf.yaml);
  const text = bytes.toString();
  const keys = text.split('\n').flatMap((line) => /^[a-zA-Z]+/.exec(line) ?? []);
  expect(keys).toEqual(['apiVersion', 'kind', 'metadata', 'spec', 'status']);
  expect(text).toContain('\n  ports:\n  - name: https\n');
  expect(text.endsWith('\n')).toBe(true);
});

it('an object of many levels is not much larger in YAML than in JSON', async () => {
  const [levels, items] = [1_000, 1_000];
  const data = `${'{"a":'.repeat(levels)}[${Array(items).fill('1').join()}]${'}'.repeat(levels)}`;
  const { path } = samples.find(({ object }) => object.kind === 'ControllerRevision')!;
  const { text } = await api.post(path, `{"metadata":{"name":"levels"},"revision":1,"data":${data}}`);
  const { status, bytes } = await client.get(`${path}/levels`, mediaTypeOf.yaml);
  await api.delete(`${path}/levels`);
  expect(status).toBe(200);
  expect(bytes.length).toBeLessThan(text.length * 20);
});
