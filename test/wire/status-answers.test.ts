import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EncodingName } from '../../src/codec/media-types.ts';
import { type ApiResponse, TestApi } from './api.ts';
import { define, definitionOf, objectOf, pathOf } from './custom-types.ts';
import { decodeBody, mediaTypeOf } from './peer-codecs.ts';
import { RawClient } from './raw-client.ts';

const core = '/api/v1/namespaces/default';
const as = (kind: string): string => `;as=${kind};g=meta.k8s.io;v=v1`;
const table = as('Table');
const container = { name: 'c', image: 'example.com/c:1' };
const widget = definitionOf({ singular: 'widget' });

let api: TestApi;
let client: RawClient;
beforeAll(async () => {
  api = await TestApi.start();
  client = new RawClient(api);
  await define(api, widget);
});
afterAll(async () => {
  client.close();
  await api.stop();
});

let count = 0;
async function makePod(): Promise<string> {
  const name = `p${++count}`;
  expect(await api.post(`${core}/pods`, { metadata: { name }, spec: { containers: [container] } })).toMatchObject({
    status: 200,
  });
  return name;
}

interface Action {
  readonly path: (pod: string) => string;
  readonly body: (pod: string) => object;
}

const binding = (name: string) => ({ metadata: { name }, target: { kind: 'Node', name: 'n' } });
const actions: Readonly<Record<string, Action>> = {
  eviction: {
    path: (pod) => `${core}/pods/${pod}/eviction`,
    body: (name) => ({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } }),
  },
  binding: { path: (pod) => `${core}/pods/${pod}/binding`, body: binding },
  'binding of the collection': { path: () => `${core}/bindings`, body: binding },
};

/** A request with a body in JSON. */
async function send(method: string, path: string, { accept, body }: { accept: string; body?: object }) {
  const headers = { accept, ...(body && { 'content-type': 'application/json' }) };
  return client.call(method, path, { headers, ...(body && { body: Buffer.from(JSON.stringify(body)) }) });
}

const bases = ['json', 'yaml', 'protobuf'] as const satisfies readonly EncodingName[];
const success = { kind: 'Status', apiVersion: 'v1', status: 'Success' };

describe.each(Object.entries(actions))('a Status as the answer of the %s', (_, { path, body }) => {
  it.each(bases)('does not exist as a Table: nothing is done (%s)', async (base) => {
    const pod = await makePod();
    const { metadata } = (await api.get(`${core}/pods/${pod}`)).body;
    const { status } = await send('POST', path(pod), { accept: `${mediaTypeOf[base]}${table}`, body: body(pod) });
    expect(status).toBe(406);
    expect((await api.get(`${core}/pods/${pod}`)).body.metadata).toEqual(metadata);
  });

  it.each(bases.flatMap((base) => ['', as('PartialObjectMetadata')].map((form) => [base, form] as const)))(
    'comes in the encoding that was asked for: %s%s',
    async (base, form) => {
      const pod = await makePod();
      const response = await send('POST', path(pod), { accept: `${mediaTypeOf[base]}${form}`, body: body(pod) });
      expect([response.status, response.headers['content-type']]).toEqual([200, mediaTypeOf[base]]);
      expect(decodeBody(base, response.bytes)).toMatchObject({ ...success, code: 200 });
    },
  );

  it('states the code of the response', async () => {
    const created = await TestApi.start({ postCreateStatus: 201 });
    try {
      await created.post(`${core}/pods`, { metadata: { name: 'p' }, spec: { containers: [container] } });
      const { status, body: answer } = await created.post(path('p'), body('p'));
      expect([status, answer.code]).toEqual([201, 201]);
    } finally {
      await created.stop();
    }
  });
});

it('a binding of the collection needs a name', async () => {
  const { body } = await api.post(`${core}/bindings`, { target: { kind: 'Node', name: 'n' } });
  expect(body).toMatchObject({ code: 400, reason: 'BadRequest', message: 'Name parameter required.' });
});

it('a token has no rows', async () => {
  const path = `${core}/serviceaccounts/rowless`;
  await api.post(`${core}/serviceaccounts`, { metadata: { name: 'rowless' } });
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [] } };
  expect((await send('POST', `${path}/token`, { accept: `application/json${table}`, body })).status).toBe(406);
  expect((await send('POST', `${path}/token`, { accept: 'application/json', body })).status).toBe(200);
});

describe.each([
  ['configmaps', `${core}/configmaps`, (name: string) => ({ metadata: { name } })],
  ['widgets', pathOf(widget), (name: string) => objectOf(widget, name)],
])('a delete of %s', (_, collection, object) => {
  async function make(name: string): Promise<string> {
    expect(await api.post(collection, object(name))).toMatchObject({ status: 200 });
    return `${collection}/${name}`;
  }
  const present = async (path: string): Promise<number> => (await api.get(path)).status;
  const forms = bases
    .flatMap((base) => ['', table, as('PartialObjectMetadata')].map((form) => [base, form] as const))
    .filter(([base, form]) => base !== 'protobuf' || form === as('PartialObjectMetadata'));

  it.each(forms)('has its Status in the encoding that was asked for: %s%s', async (base, form) => {
    const path = await make(`d${++count}`);
    const response = await send('DELETE', path, { accept: `${mediaTypeOf[base]}${form}` });
    expect([response.status, response.headers['content-type']]).toEqual([200, mediaTypeOf[base]]);
    expect(decodeBody(base, response.bytes)).toMatchObject(success);
    expect(await present(path)).toBe(404);
  });

  it('does not exist as a Table in protobuf: nothing is deleted', async () => {
    const path = await make('kept');
    const accept = `application/vnd.kubernetes.protobuf${table}`;
    expect((await send('DELETE', path, { accept })).status).toBe(406);
    expect(await present(path)).toBe(200);
  });
});

it('an error that no accepted form can show is JSON', async () => {
  const headers = { accept: `application/yaml${as('PartialObjectMetadata')}` };
  const absent: ApiResponse = await api.delete(`${core}/configmaps/absent`, { headers });
  expect([absent.status, absent.headers['content-type']]).toEqual([404, 'application/json']);
});
