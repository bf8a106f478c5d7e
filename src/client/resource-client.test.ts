import { describe, expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { Client } from './client.ts';
import type { ApiRequest, Fetch } from './fetch.ts';
import { jsonLines } from './resource-client.ts';

async function* body(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** A client whose requests are recorded. All of them get the same response. */
function recorded(text = '{}', status = 200): { client: Client; requests: ApiRequest[] } {
  const requests: ApiRequest[] = [];
  const fetch: Fetch = async (request) => {
    requests.push(request);
    return { status, headers: {}, body: body(text) };
  };
  return { client: new Client(fetch), requests };
}

const pods = { group: '', version: 'v1', resource: 'pods' };
const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };
const object = { metadata: { name: 'x' } };

describe('ResourceClient', () => {
  it('patches without reading the result', async () => {
    const { client, requests } = recorded('no JSON');
    await client.resource(pods, 'default').patchOnly('x', [], { type: 'json', subresource: 'status' });
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'PATCH /api/v1/namespaces/default/pods/x/status',
    ]);
    expect(requests[0]!.headers).toEqual({ 'content-type': 'application/json-patch+json' });
    const refused = recorded('{"code":409}', 409).client.resource(pods, 'default').patchOnly('x', []);
    await expect(refused).rejects.toThrow(ApiError);
  });

  it('builds API paths', async () => {
    const { client, requests } = recorded();
    await client.resource(pods).list({ limit: 5, labelSelector: 'a=b c', continue: undefined });
    await client.resource(deployments, 'default').get('a/b');
    await client.resource(deployments, 'default').create(object, { dryRun: 'All' });
    await client.resource(deployments, 'default').update(object, { subresource: 'status', fieldManager: 'me' });
    await client.resource(deployments, 'default').patch('x', { spec: null });
    await client.resource(pods, 'default').delete('x', { gracePeriodSeconds: 0 });
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v1/pods?limit=5&labelSelector=a%3Db+c',
      'GET /apis/apps/v1/namespaces/default/deployments/a%2Fb',
      'POST /apis/apps/v1/namespaces/default/deployments?dryRun=All',
      'PUT /apis/apps/v1/namespaces/default/deployments/x/status?fieldManager=me',
      'PATCH /apis/apps/v1/namespaces/default/deployments/x',
      'DELETE /api/v1/namespaces/default/pods/x?gracePeriodSeconds=0',
    ]);
    expect(requests[2]).toMatchObject({
      body: JSON.stringify(object),
      headers: { 'content-type': 'application/json' },
    });
    expect(requests[4]).toMatchObject({
      body: '{"spec":null}',
      headers: { 'content-type': 'application/merge-patch+json' },
    });
  });

  it('sends the headers and parameters of every verb', async () => {
    const { client, requests } = recorded();
    const scoped = client.as('me/1').resource(deployments, 'default');
    for (const type of ['json', 'strategic', 'apply'] as const)
      await scoped.patch('x', [], { type, fieldManager: 'me' });
    await scoped.get('x', { subresource: 'scale' });
    await scoped.createSubresource('x', 'eviction', {});
    await scoped.delete('x', { dryRun: 'All' }, { preconditions: { uid: 'u' }, propagationPolicy: 'Orphan' });
    await scoped.deleteCollection({ labelSelector: 'a' }, { gracePeriodSeconds: 0 });
    await scoped.metadataOnly().list();
    await scoped.metadataOnly().get('x');
    const shown = requests.map(({ method, path, headers, body = '' }) =>
      [
        method,
        path.replace('/apis/apps/v1/namespaces/default', ''),
        headers?.['content-type'] ?? headers?.accept ?? '',
        body,
      ]
        .join(' ')
        .trim(),
    );
    expect(shown).toEqual([
      'PATCH /deployments/x?fieldManager=me application/json-patch+json []',
      'PATCH /deployments/x?fieldManager=me application/strategic-merge-patch+json []',
      'PATCH /deployments/x?fieldManager=me application/apply-patch+yaml []',
      'GET /deployments/x/scale',
      'POST /deployments/x/eviction application/json {}',
      'DELETE /deployments/x?dryRun=All application/json {"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":"u"},"propagationPolicy":"Orphan"}',
      'DELETE /deployments?labelSelector=a application/json {"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0}',
      'GET /deployments application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
      'GET /deployments/x application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
    ]);
    expect(requests.every(({ headers }) => headers?.['user-agent'] === 'me/1')).toBe(true);
  });

  it('rejects with the Status of the server', async () => {
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'pods "x" not found',
      reason: 'NotFound',
      code: 404,
    };
    const { client } = recorded(JSON.stringify(status), 404);
    const error = await client
      .resource(pods, 'default')
      .get('x')
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 404, message: 'pods "x" not found', status });
  });

  it('rejects with the text when the response is not a Status', async () => {
    const plain = recorded('404 page not found\n', 404).client.resource(pods).list();
    await expect(plain).rejects.toMatchObject({ code: 404, message: '404 page not found', status: undefined });
    const empty = recorded('', 502).client.resource(pods).list();
    await expect(empty).rejects.toMatchObject({ code: 502, message: 'HTTP status 502' });
    const other = recorded('{"kind":"Pod"}', 418).client.resource(pods).list();
    await expect(other).rejects.toMatchObject({ code: 418, status: undefined });
  });

  it('watches line by line and passes the signal on', async () => {
    const { client, requests } = recorded('{"type":"ADDED","object":{}}\n{"type":"DELETED","object":{}}\n');
    const { signal } = new AbortController();
    const types: string[] = [];
    for await (const { type } of client.resource(pods).watch({ resourceVersion: '7' }, signal)) types.push(type);
    expect(types).toEqual(['ADDED', 'DELETED']);
    expect(requests).toEqual([{ method: 'GET', path: '/api/v1/pods?resourceVersion=7&watch=true', signal }]);
  });

  it('rejects when a watch is refused', async () => {
    const { client } = recorded('{"kind":"Status","message":"too old","code":410}', 410);
    const watch = client.resource(pods).watch({}, new AbortController().signal);
    await expect(watch.next()).rejects.toMatchObject({ code: 410, message: 'too old' });
  });
});

describe('jsonLines', () => {
  async function* pieces(...texts: (string | Buffer)[]): AsyncGenerator<Uint8Array> {
    for (const text of texts) yield Buffer.from(text);
  }

  async function documents(...texts: (string | Buffer)[]): Promise<unknown[]> {
    const found: unknown[] = [];
    for await (const document of jsonLines(pieces(...texts))) found.push(document);
    return found;
  }

  it.each([
    ['one per chunk', ['{"a":1}\n', '{"a":2}\n'], [{ a: 1 }, { a: 2 }]],
    ['several in a chunk', ['1\n2\n3\n'], [1, 2, 3]],
    ['one in many chunks', ['{"a', '":', '1}', '\n'], [{ a: 1 }]],
    ['with empty lines between', ['1\n\n', '\n2\n'], [1, 2]],
    ['without the end of the last one', ['1\n', '{"a":'], [1]],
    ['none', [], []],
  ])('yields the documents: %s', async (_what, chunks, expected) => {
    expect(await documents(...chunks)).toEqual(expected);
  });

  it('decodes characters that span chunks', async () => {
    const bytes = Buffer.from('"naïve 🚢"\n');
    const chunks = Array.from(bytes, (byte) => Buffer.from([byte]));
    expect(await documents(...chunks)).toEqual(['naïve 🚢']);
  });

  it('yields a document before it reads the next chunk', async () => {
    let yielded = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) yield Buffer.from(`${yielded++}\n`);
    }
    const lines = jsonLines(endless());
    expect((await lines.next()).value).toBe(0);
    expect(yielded).toBe(1);
    await lines.return(undefined);
  });
});
