import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ApiResponse, TestApi, TestWatch } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const accept = (kind: string, { group = 'meta.k8s.io', version = 'v1' } = {}) =>
  `application/json;as=${kind};v=${version};g=${group}`;
const table = accept('Table');
const metadataOnly = accept('PartialObjectMetadata');

function getAs(path: string, acceptHeader: string): Promise<ApiResponse> {
  return api.get(path, { headers: { accept: acceptHeader } });
}

async function watchAs(path: string, acceptHeader: string): Promise<TestWatch> {
  const watch = await new Promise<TestWatch>((resolve, reject) => {
    const options = { ...api.tls, headers: { accept: acceptHeader } };
    const sent = request(new URL(path, api.server.url), options, (response) =>
      resolve(new TestWatch(response, () => sent.destroy())),
    );
    sent.on('error', reject);
    sent.end();
  });
  onTestFinished(() => watch.close());
  return watch;
}

// biome-ignore lint/suspicious/noExplicitAny: columns of every shape
const columnNames = (body: any): string[] => body.columnDefinitions.map(({ name }: { name: string }) => name);
/** Returns the first cells of each row. */
// biome-ignore lint/suspicious/noExplicitAny: rows of every shape
const cellsOf = (body: any, count: number): unknown[] =>
  body.rows.map(({ cells }: { cells: unknown[] }) => cells.slice(0, count));
const age = expect.stringMatching(/^(\d+[smh])+$/);

describe('a Table', () => {
  it('has the row and the version of one object', async () => {
    const path = await api.configMaps('one-row');
    const { body: object } = await api.post(path, { metadata: { name: 'a' }, data: { x: '1', y: '2' } });
    const { status, headers, body } = await getAs(`${path}/a`, table);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json');
    expect(body).toEqual({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: object.metadata.resourceVersion },
      columnDefinitions: body.columnDefinitions,
      rows: [
        {
          cells: ['a', 2, age],
          object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata },
        },
      ],
    });
    expect(columnNames(body)).toEqual(['Name', 'Data', 'Age']);
    expect(body.columnDefinitions[0]).toEqual({
      name: 'Name',
      type: 'string',
      format: 'name',
      description: 'Name of the object.',
      priority: 0,
    });
  });

  it('has the version of a list and continues in chunks', async () => {
    const path = await api.configMaps('chunked-rows', { a: {}, b: {}, c: {} });
    const { body: list } = await api.get(`${path}?limit=2`);
    const { body } = await getAs(`${path}?limit=2`, table);
    expect(body.metadata).toEqual(list.metadata);
    expect(cellsOf(body, 1)).toEqual([['a'], ['b']]);
    const { body: rest } = await getAs(`${path}?limit=2&continue=${body.metadata.continue}`, table);
    expect(cellsOf(rest, 1)).toEqual([['c']]);
    expect(rest.metadata).toEqual({ resourceVersion: list.metadata.resourceVersion, continue: '' });
  });

  it('has columns and no rows if there are no objects', async () => {
    const path = await api.configMaps('no-rows');
    const { body } = await getAs(path, table);
    expect(columnNames(body)).toEqual(['Name', 'Data', 'Age']);
    expect(body.rows).toEqual([]);
  });

  it('contains the requested part of the objects', async () => {
    const path = await api.configMaps('carried', { a: {} });
    const { body: object } = await api.get(`${path}/a`);
    const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
    for (const [query, carried] of [
      ['', partial],
      ['?includeObject=', partial],
      ['?includeObject=Metadata', partial],
      ['?includeObject=None', null],
      ['?includeObject=Object', object],
    ] as const) {
      for (const target of [path, `${path}/a`]) {
        const { body } = await getAs(`${target}${query}`, table);
        expect(body.rows[0].object).toEqual(carried);
      }
    }
  });

  it('is refused with an unknown value of includeObject', async () => {
    const path = await api.configMaps('too-much', { a: {} });
    for (const target of [path, `${path}/a`, `${path}?watch=1`]) {
      const query = target.includes('?') ? '&' : '?';
      const { status, body } = await getAs(`${target}${query}includeObject=x`, table);
      expect(status).toBe(400);
      expect(body).toMatchObject({
        reason: 'BadRequest',
        message:
          "Unable to convert to Table as requested: includeObject: Invalid value: \"x\": must be 'Metadata', 'Object', 'None', or empty",
      });
    }
    // The parameter has no effect on other representations.
    expect((await api.get(`${path}?includeObject=x`)).status).toBe(200);
  });

  it.each([
    ['meta.k8s.io', 'v1'],
    ['meta.k8s.io', 'v1beta1'],
    ['meta.svc.io', 'v1'],
  ])('is of the group and version that was asked for: %s/%s', async (group, version) => {
    const path = await api.configMaps(`group-${group.replaceAll('.', '-')}-${version}`, { a: {} });
    const { body } = await getAs(path, accept('Table', { group, version }));
    expect(body.apiVersion).toBe(`${group}/${version}`);
    expect(body.rows[0].object.apiVersion).toBe(`${group}/${version}`);
  });

  it('has the columns of the kind, and default ones where there are none', async () => {
    const { body: namespaces } = await getAs('/api/v1/namespaces?includeObject=None', table);
    expect(cellsOf(namespaces, 2)).toContainEqual(['kube-system', 'Active']);
    await api.post('/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata: { name: 'reader' } });
    const { body: roles } = await getAs('/apis/rbac.authorization.k8s.io/v1/clusterroles/reader', table);
    expect(roles.columnDefinitions).toMatchObject([{ name: 'Name' }, { name: 'Created At', type: 'date' }]);
    expect(cellsOf(roles, 2)).toEqual([['reader', roles.rows[0].object.metadata.creationTimestamp]]);
  });

  it('has rows in the order of the kind', async () => {
    const path = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
    for (const [name, matchingPrecedence] of [
      ['last', 9999],
      ['zero', 7],
      ['also', 7],
    ] as const) {
      const spec = { matchingPrecedence, priorityLevelConfiguration: { name: 'any' } };
      await api.post(path, { metadata: { name, labels: { test: 'order' } }, spec });
    }
    const { body } = await getAs(`${path}?labelSelector=test%3Dorder`, table);
    expect(cellsOf(body, 1)).toEqual([['also'], ['zero'], ['last']]);
  });

  it('comes complete for a long list, also indented', async () => {
    const path = await api.configMaps('long-table');
    const data = { text: 'x'.repeat(4000) };
    for (let index = 0; index < 60; index++) await api.post(path, { metadata: { name: `n-${index}` }, data });
    const { body: list } = await api.get(path);
    const names = list.items.map(({ metadata }: { metadata: { name: string } }) => [metadata.name, 1]);
    for (const query of ['?includeObject=Object', '?includeObject=Object&pretty=1', '?includeObject=None']) {
      const { body } = await getAs(`${path}${query}`, table);
      expect(cellsOf(body, 2)).toEqual(names);
    }
  });

  it('keeps numbers that are too long for others', async () => {
    const path = '/apis/apps/v1/namespaces/default/controllerrevisions';
    await api.post(path, `{"metadata":{"name":"long"},"data":{},"revision":9007199254740993}`);
    const { text } = await getAs(`${path}/long?includeObject=Object`, table);
    expect(text).toContain('"cells":["long","\\u003cnone\\u003e",9007199254740993,');
    expect(text).toContain('"revision":9007199254740993');
    expect((await getAs(`${path}?includeObject=None`, table)).text).toContain('9007199254740993');
  });

  it('is indented for clients that request it in the media type', async () => {
    const path = await api.configMaps('pretty-table', { a: {} });
    for (const target of [path, `${path}/a`]) {
      const { text } = await getAs(target, `${table};pretty=1`);
      expect(text).toMatch(/^\{\n {2}"kind": "Table",\n/);
    }
  });

  it('is the response to writes, too', async () => {
    const path = await api.configMaps('written');
    const headers = { accept: table };
    const created = await api.post(path, { metadata: { name: 'a' } }, { headers });
    expect(cellsOf(created.body, 2)).toEqual([['a', 0]]);
    const updated = await api.put(`${path}/a`, { metadata: { name: 'a' }, data: { x: '1' } }, { headers });
    expect(cellsOf(updated.body, 2)).toEqual([['a', 1]]);
    const dry = await api.post(`${path}?dryRun=All`, { metadata: { name: 'dry' } }, { headers });
    expect(dry.body.metadata).toEqual({});
    const patched = await api.call('PATCH', `${path}/a`, {
      body: { data: { y: '2' } },
      headers: { ...headers, 'content-type': 'application/merge-patch+json' },
    });
    expect(cellsOf(patched.body, 2)).toEqual([['a', 2]]);
    const deleted = await api.delete(`${path}/a`, { headers });
    expect(deleted.body).toMatchObject({ kind: 'Status', status: 'Success' });
    await api.post(path, { metadata: { name: 'b' } });
    expect((await api.delete(path, { headers })).body).toMatchObject({
      kind: 'Table',
      rows: [{ cells: ['b', 0, age] }],
    });
  });
});

describe('an unsupported representation', () => {
  it.each([
    accept('Other'),
    accept('Table', { group: 'meta.example.com' }),
    accept('Table', { version: 'v2' }),
    'application/json;as=Table',
    'application/json;g=meta.k8s.io;v=v1',
    'application/json;as=Table;g=meta.k8s.io',
    'application/xml;as=Table;g=meta.k8s.io;v=v1',
  ])('is refused: %s', async (acceptHeader) => {
    const path = await api.configMaps('refused', { a: {} });
    for (const target of [path, `${path}/a`, `${path}?watch=1`]) {
      expect(await getAs(target, acceptHeader)).toMatchObject({ status: 406, body: { reason: 'NotAcceptable' } });
    }
    const { status, body } = await getAs(`${path}/a`, `${acceptHeader},application/json`);
    expect(status).toBe(200);
    expect(body.kind).toBe('ConfigMap');
  });

  it('leads to the next choice, in the order of the client', async () => {
    const path = await api.configMaps('choices', { a: {} });
    for (const [acceptHeader, kind] of [
      [`${table},application/json`, 'Table'],
      [`application/cbor;as=Table;g=meta.k8s.io;v=v1,${table}`, 'Table'],
      [`application/json;q=0.5,${table};q=0.4`, 'ConfigMap'],
      [`${metadataOnly},${table}`, 'PartialObjectMetadata'],
      [`${accept('Table', { version: 'v9' })},${accept('Table', { version: 'v1beta1' })},application/json`, 'Table'],
    ] as const) {
      expect((await getAs(`${path}/a`, acceptHeader)).body.kind).toBe(kind);
    }
  });

  it('is reported as a Status: an error is never a Table', async () => {
    const path = await api.configMaps('plain-errors');
    const only = await getAs(`${path}/missing`, table);
    expect(only.status).toBe(404);
    expect(only.text).toMatch(/^\{\n {2}"kind": "Status",\n/);
    const either = await getAs(`${path}/missing`, `${table},application/json`);
    expect(either.text).toMatch(/^\{"kind":"Status",/);
  });
});

describe('metadata alone', () => {
  it('can be read for one object', async () => {
    const path = await api.configMaps('alone', { a: { app: 'web' } });
    const { metadata } = (await api.get(`${path}/a`)).body;
    const { body } = await getAs(`${path}/a`, metadataOnly);
    expect(body).toEqual({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata });
    const { body: other } = await getAs(`${path}/a`, accept('PartialObjectMetadata', { group: 'meta.svc.io' }));
    expect(other).toEqual({ kind: 'PartialObjectMetadata', apiVersion: 'meta.svc.io/v1', metadata });
  });

  it.each(['PartialObjectMetadata', 'PartialObjectMetadataList'])(
    'can be read for a list, asked for as %s',
    async (kind) => {
      const path = await api.configMaps('listed-alone', { a: {}, b: {} });
      const { body: list } = await api.get(`${path}?limit=1`);
      const { body } = await getAs(`${path}?limit=1`, accept(kind));
      expect(body).toEqual({
        kind: 'PartialObjectMetadataList',
        apiVersion: 'meta.k8s.io/v1',
        metadata: list.metadata,
        items: [{ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: list.items[0].metadata }],
      });
    },
  );

  it('cannot be read as a list for one object', async () => {
    const path = await api.configMaps('no-list', { a: {} });
    const { status, body } = await getAs(`${path}/a`, accept('PartialObjectMetadataList'));
    expect(status).toBe(406);
    expect(body).toMatchObject({
      reason: 'NotAcceptable',
      message: 'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
    });
  });
});

describe('a watch', () => {
  it('has the columns of a Table once', async () => {
    const path = await api.configMaps('table-watch', { a: {}, b: {} });
    const watch = await watchAs(`${path}?watch=1&allowWatchBookmarks=true`, table);
    expect(watch.headers['content-type']).toBe('application/json');
    const first = (await watch.next())!;
    expect(first.type).toBe('ADDED');
    expect(columnNames(first.object)).toEqual(['Name', 'Data', 'Age']);
    expect(first.object).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      rows: [{ cells: ['a', 0, age] }],
    });
    const second = (await watch.next())!;
    expect(second.object).toMatchObject({ columnDefinitions: null, rows: [{ cells: ['b', 0, age] }] });
    const { resourceVersion } = second.object.rows[0].object.metadata;
    expect(second.object.metadata).toEqual({ resourceVersion });
    const { type, object: bookmark } = (await watch.next())!;
    expect(type).toBe('BOOKMARK');
    const metadata = { ...bookmark.metadata, annotations: { 'k8s.io/initial-events-end': 'true' } };
    expect(bookmark).toEqual({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: expect.stringMatching(/^\d+$/) },
      columnDefinitions: null,
      rows: [
        {
          cells: ['', 0, '<unknown>'],
          object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata },
        },
      ],
    });
    await api.patch(`${path}/a`, { data: { x: '1' } });
    await api.delete(`${path}/a`);
    expect(await watch.next()).toMatchObject({
      type: 'MODIFIED',
      object: { columnDefinitions: null, rows: [{ cells: ['a', 1, age] }] },
    });
    expect(await watch.next()).toMatchObject({ type: 'DELETED', object: { rows: [{ cells: ['a', 1, age] }] } });
  });

  it('has the columns of a Table in the first event when the state is empty', async () => {
    const path = await api.configMaps('later-table-watch');
    const { resourceVersion } = (await api.get(path)).body.metadata;
    const watch = await watchAs(`${path}?watch=1&resourceVersion=${resourceVersion}&includeObject=Object`, table);
    const { body } = await api.post(path, { metadata: { name: 'a' } });
    await api.post(path, { metadata: { name: 'b' } });
    const first = (await watch.next())!;
    expect(columnNames(first.object)).toEqual(['Name', 'Data', 'Age']);
    expect(first.object.rows[0].object).toEqual(body);
    expect((await watch.next())!.object.columnDefinitions).toBeNull();
  });

  it('marks the end of the state even for a Table without objects', async () => {
    const path = await api.configMaps('bare-table-watch', { a: {} });
    const watch = await watchAs(`${path}?watch=1&allowWatchBookmarks=true&includeObject=None`, table);
    expect((await watch.next())!.object.rows[0].object).toBeNull();
    const { object } = (await watch.next())!;
    expect(object.rows[0].object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
  });

  it.each(['PartialObjectMetadata', 'PartialObjectMetadataList'])(
    'may be for metadata, asked for as %s',
    async (kind) => {
      const path = await api.configMaps('metadata-watch', { a: {} });
      const { metadata } = (await api.get(`${path}/a`)).body;
      const watch = await watchAs(`${path}?watch=1&allowWatchBookmarks=true`, accept(kind));
      const object = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
      expect(await watch.next()).toEqual({ type: 'ADDED', object });
      expect(await watch.next()).toMatchObject({
        type: 'BOOKMARK',
        object: {
          kind: 'PartialObjectMetadata',
          metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } },
        },
      });
    },
  );

  it('fails plainly', async () => {
    const path = await api.configMaps('failed-table-watch');
    const query = 'watch=1&resourceVersion=99999999&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    const watch = await watchAs(`${path}?${query}`, table);
    expect(await watch.next()).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 504 } });
  });
});
