import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ManualClock } from '../../src/testing/index.ts';
import { TestApi, type TestWatch } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

async function opened(path: string): Promise<TestWatch> {
  const watch = await api.watch(path);
  onTestFinished(() => watch.close());
  expect(watch.status).toBe(200);
  return watch;
}

async function versionOf(path: string): Promise<string> {
  return (await api.get(path)).body.metadata.resourceVersion;
}

describe('events', () => {
  it('begin with the present state in the order of keys, and go on with changes', async () => {
    const path = await api.configMaps('followed', { b: {}, a: {} });
    const watch = await opened(`${path}?watch=true`);
    expect(await watch.take(2)).toEqual(['ADDED a', 'ADDED b']);
    await api.post(path, { metadata: { name: 'c' } });
    await api.patch(`${path}/c`, { data: { x: '1' } });
    await api.delete(`${path}/c`);
    expect(await watch.take(3)).toEqual(['ADDED c', 'MODIFIED c', 'DELETED c']);
  });

  it('show objects with kind and apiVersion, as a get does', async () => {
    const path = await api.configMaps('shown');
    const watch = await opened(`${path}?watch=1`);
    const { body } = await api.post(path, { metadata: { name: 'a' }, data: { x: '1' } });
    expect(await watch.next()).toEqual({ type: 'ADDED', object: body });
    expect(body).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' });
  });

  it('have the last state of a deleted object at the version of the deletion', async () => {
    const path = await api.configMaps('deleted', { a: {} });
    const { body: last } = await api.patch(`${path}/a`, { data: { x: '1' } });
    const watch = await opened(`${path}?watch=1&resourceVersion=${last.metadata.resourceVersion}`);
    await api.delete(`${path}/a`);
    const { resourceVersion } = (await api.post(path, { metadata: { name: 'next' } })).body.metadata;
    const { type, object } = (await watch.next())!;
    expect(type).toBe('DELETED');
    expect(object).toEqual({
      ...last,
      metadata: { ...last.metadata, resourceVersion: String(Number(resourceVersion) - 1) },
    });
    // A watch can continue after this version.
    const resumed = await opened(`${path}?watch=1&resourceVersion=${object.metadata.resourceVersion}`);
    expect(await resumed.take(1)).toEqual(['ADDED next']);
  });

  it('are the marking, the changes and one deletion for an object with finalizers', async () => {
    const path = await api.configMaps('finalized');
    const watch = await opened(`${path}?watch=1`);
    await api.post(path, { metadata: { name: 'a', finalizers: ['example.com/hold'] } });
    await api.delete(`${path}/a`);
    await api.patch(`${path}/a`, { data: { x: '1' } });
    await api.patch(`${path}/a`, { metadata: { finalizers: null } });
    await api.post(path, { metadata: { name: 'last' } });
    expect(await watch.take(1)).toEqual(['ADDED a']);
    const marked = (await watch.next())!;
    expect(marked).toMatchObject({ type: 'MODIFIED', object: { metadata: { deletionTimestamp: expect.any(String) } } });
    expect(await watch.take(3)).toEqual(['MODIFIED a', 'DELETED a', 'ADDED last']);
  });

  it('are one for each object of a deleted collection', async () => {
    const path = await api.configMaps('collected', { a: { in: 'y' }, b: {}, c: { in: 'y' } });
    const watch = await opened(`${path}?watch=1&resourceVersion=${await versionOf(path)}`);
    await api.delete(`${path}?labelSelector=in`);
    await api.delete(`${path}/b`);
    const first = await watch.take(2);
    expect(first.sort()).toEqual(['DELETED a', 'DELETED c']);
    expect(await watch.take(1)).toEqual(['DELETED b']);
  });

  it('are not sent for writes that change nothing', async () => {
    const path = await api.configMaps('quiet', { a: {} });
    const watch = await opened(`${path}?watch=1`);
    await api.patch(`${path}/a`, {});
    await api.patch(`${path}/a?dryRun=All`, { data: { x: '1' } });
    await api.delete(`${path}/a?dryRun=All`);
    await api.post(`${path}?dryRun=All`, { metadata: { name: 'b' } });
    await api.post(path, { metadata: { name: 'last' } });
    expect(await watch.take(2)).toEqual(['ADDED a', 'ADDED last']);
  });

  it('come once each and in order, whatever is written while the watch begins', async () => {
    const path = await api.configMaps('busy', { a: {}, b: {}, c: {} });
    const version = await versionOf(path);
    const writes = 60;
    const write = async (name: string) => {
      for (let count = 1; count <= writes; count++)
        await api.patch(`${path}/${name}`, { data: { count: String(count) } });
    };
    const writing = Promise.all(['a', 'b', 'c'].map(write));
    const watches: TestWatch[] = [];
    for (let count = 0; count < 10; count++) watches.push(await opened(`${path}?watch=1&resourceVersion=${version}`));
    await writing;
    for (const watch of watches) {
      const counts: Record<string, number[]> = { a: [], b: [], c: [] };
      let last = Number(version);
      for (let count = 0; count < 3 * writes; count++) {
        const { type, object } = (await watch.next())!;
        expect(type).toBe('MODIFIED');
        expect(Number(object.metadata.resourceVersion)).toBeGreaterThan(last);
        last = Number(object.metadata.resourceVersion);
        counts[object.metadata.name]!.push(Number(object.data.count));
      }
      const all = Array.from({ length: writes }, (_, index) => index + 1);
      expect(counts).toEqual({ a: all, b: all, c: all });
    }
  });
});

describe('a selector', () => {
  let scenes = 0;
  const steps = [
    { metadata: { labels: { app: 'x' } } },
    { data: { k: '1' } },
    { metadata: { labels: { app: 'y' } } },
    { data: { k: '2' } },
    { metadata: { labels: { app: 'x' } } },
  ];

  it.each([
    ['labelSelector=app%3Dx', [undefined, 'ADDED', 'MODIFIED', 'DELETED', undefined, 'ADDED', 'DELETED']],
    ['labelSelector=app!%3Dx', ['ADDED', 'DELETED', undefined, 'ADDED', 'MODIFIED', 'DELETED', undefined]],
    ['labelSelector=!app', ['ADDED', 'DELETED', undefined, undefined, undefined, undefined, undefined]],
    ['fieldSelector=metadata.name%3Dt', ['ADDED', ...steps.map(() => 'MODIFIED'), 'DELETED']],
    ['fieldSelector=metadata.name!%3Dt', [undefined, ...steps.map(() => undefined), undefined]],
    ['', ['ADDED', ...steps.map(() => 'MODIFIED'), 'DELETED']],
  ])('%s makes objects appear and disappear', async (selector, expected) => {
    const path = await api.configMaps(`transitions-${++scenes}`);
    const watch = await opened(`${path}?watch=1&resourceVersion=${await versionOf(path)}&${selector}`);
    const { body: made } = await api.post(path, { metadata: { name: 't' } });
    const states = [made];
    for (const step of steps) states.push((await api.patch(`${path}/t`, step)).body);
    await api.delete(`${path}/t`);
    const last = Number(states.at(-1).metadata.resourceVersion) + 1;
    const versions = [...states.map(({ metadata }) => metadata.resourceVersion), String(last)];
    for (const [index, type] of expected.entries()) {
      if (type === undefined) continue;
      const event = (await watch.next())!;
      // An object that no longer matches is shown in its last matching state, at the version of the write that changed
      // it.
      const state = type === 'DELETED' ? states[index - 1] : states[index];
      expect(event).toEqual({
        type,
        object: { ...state, metadata: { ...state.metadata, resourceVersion: versions[index] } },
      });
    }
    // No other event was sent: the next event is that of the next matching object.
    const end = selector === 'labelSelector=app%3Dx' ? { app: 'x' } : {};
    if (!selector.includes('name%3D')) {
      await api.post(path, { metadata: { name: 'end', labels: end } });
      expect(await watch.take(1)).toEqual(['ADDED end']);
    }
  });

  it('by field follows a status', async () => {
    await api.configMaps('fields');
    const pods = '/api/v1/namespaces/fields/pods';
    const watch = await opened(`${pods}?watch=1&fieldSelector=status.phase%3DRunning`);
    await api.post(pods, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
    await api.patch(`${pods}/p/status`, { status: { phase: 'Running' } });
    await api.patch(`${pods}/p/status`, { status: { phase: 'Succeeded' } });
    expect(await watch.take(1)).toEqual(['ADDED p']);
    expect(await watch.next()).toMatchObject({ type: 'DELETED', object: { status: { phase: 'Running' } } });
  });

  it('follows one object alone by its name, also before it exists', async () => {
    const path = await api.configMaps('single', { other: {} });
    const watch = await opened(`${path}?watch=1&fieldSelector=metadata.name%3Done`);
    for (const name of ['one', 'onerous', 'on']) await api.post(path, { metadata: { name } });
    await api.patch(`${path}/other`, { data: { x: '1' } });
    await api.delete(`${path}/one`);
    expect(await watch.take(2)).toEqual(['ADDED one', 'DELETED one']);
  });
});

describe('the scope', () => {
  it('is all namespaces, one, or none', async () => {
    const path = await api.configMaps('scope');
    const neighbour = await api.configMaps('scope-2');
    const version = await versionOf(path);
    const all = await opened(`/api/v1/configmaps?watch=1&resourceVersion=${version}`);
    const one = await opened(`${path}?watch=1&resourceVersion=${version}`);
    const spaces = await opened(`/api/v1/namespaces?watch=1&resourceVersion=${version}`);
    await api.post(neighbour, { metadata: { name: 'theirs' } });
    await api.post(path, { metadata: { name: 'ours' } });
    await api.configMaps('scope-3');
    expect(await all.take(2)).toEqual(['ADDED theirs', 'ADDED ours']);
    expect(await one.take(1)).toEqual(['ADDED ours']);
    expect(await spaces.take(1)).toEqual(['ADDED scope-3']);
  });

  it('may be a namespace that does not exist yet', async () => {
    const path = '/api/v1/namespaces/coming/configmaps';
    const watch = await opened(`${path}?watch=1`);
    await api.configMaps('coming', { first: {} });
    expect(await watch.take(1)).toEqual(['ADDED first']);
  });
});

describe('the stream', () => {
  it.concurrent.each(['1', 'true', 'True', ''])('is asked for with watch=%s', async (value) => {
    const response = await api.get(`/api/v1/namespaces/none/configmaps?watch=${value}&timeoutSeconds=1`);
    expect([response.status, response.text]).toEqual([200, '']);
  });

  it.each(['0', 'false', 'FALSE'])('is not asked for with watch=%s', async (value) => {
    expect((await api.get(`/api/v1/configmaps?watch=${value}`)).body.kind).toBe('ConfigMapList');
  });

  it('is not what a path of one object gives', async () => {
    const path = await api.configMaps('item', { a: {} });
    expect((await api.get(`${path}/a?watch=1`)).body).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'a' } });
  });

  it('begins at once, even when there is nothing to say', async () => {
    const path = await api.configMaps('silent');
    const watch = await opened(`${path}?watch=1&resourceVersion=${await versionOf(path)}`);
    expect(watch.headers).toMatchObject({
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
      'cache-control': 'no-cache, private',
    });
    expect(watch.headers).not.toHaveProperty('content-length');
  });

  it.concurrent('is not compressed', async () => {
    const path = await api.configMaps('plain', { a: {} });
    const response = await api.get(`${path}?watch=1&timeoutSeconds=1`, { headers: { 'accept-encoding': 'gzip' } });
    expect(response.headers).not.toHaveProperty('content-encoding');
    expect(response.body).toMatchObject({ type: 'ADDED' });
  });

  it.concurrent('has one line for each event, whatever pretty says', async () => {
    const path = await api.configMaps('lines', { a: {}, b: {} });
    const { text } = await api.get(`${path}?watch=1&timeoutSeconds=1&pretty=true`);
    expect(text).toMatch(/^\{"type":"ADDED","object":\{.*\}\}\n\{"type":"ADDED","object":\{.*\}\}\n$/);
  });

  it('ends cleanly after the time that the client gave it, and not before', async () => {
    const path = await api.configMaps('timed', { a: {} });
    const begin = performance.now();
    const watch = await opened(`${path}?watch=1&timeoutSeconds=1&timeout=1ms&limit=1`);
    await watch.ended;
    expect(performance.now() - begin).toBeGreaterThan(950);
    expect(watch.endedCleanly).toBe(true);
    expect(await watch.take(2)).toEqual(['ADDED a', 'END']);
  });

  it('ends cleanly when the server stops', async () => {
    const stopping = await TestApi.start();
    const watch = await stopping.watch('/api/v1/namespaces?watch=1&fieldSelector=metadata.name%3Ddefault');
    expect(await watch.take(1)).toEqual(['ADDED default']);
    const stopped = stopping.server.stop();
    await watch.ended;
    expect(watch.endedCleanly).toBe(true);
    await stopped;
    await stopping.stop();
  });

  it.each([
    ['timeoutSeconds=x', 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['limit=x', 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['labelSelector=a%20b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['fieldSelector=x%3Dy', '"x" is not a known field selector: only "metadata.name", "metadata.namespace"'],
    ['resourceVersion=x', 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax'],
  ])('does not begin with %s', async (query, message) => {
    const { status, body } = await api.get(`/api/v1/configmaps?watch=1&${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ kind: 'Status', reason: 'BadRequest', message });
  });
});

describe('over HTTP/2 the stream', () => {
  function session({ server, tls } = api): ClientHttp2Session {
    const client = connect(server.url, { ...tls });
    onTestFinished(() => client.destroy());
    return client;
  }

  it('begins at once, goes on with changes and ends cleanly in time', async () => {
    const clock = new ManualClock();
    const timed = await TestApi.start({ clock, threads: 1 });
    onTestFinished(() => timed.stop());
    const path = await timed.configMaps('framed');
    const stream = session(timed).request({ ':path': `${path}?watch=1&timeoutSeconds=2` });
    const [headers] = await once(stream, 'response');
    expect(headers).toMatchObject({ ':status': 200, 'content-type': 'application/json' });
    expect(headers).not.toHaveProperty('transfer-encoding');
    await timed.post(path, { metadata: { name: 'a' } });
    const [chunk] = await once(stream, 'data');
    expect(JSON.parse(String(chunk))).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } });
    const ended = once(stream, 'end');
    await clock.advance(2_000);
    await ended;
    expect(stream.rstCode).toBe(0);
  });

  it('is one of many on a connection', async () => {
    const path = await api.configMaps('many', { a: {} });
    const client = session();
    const streams = Array.from({ length: 50 }, () => client.request({ ':path': `${path}?watch=1` }));
    const lines = streams.map((stream) => createInterface({ input: stream })[Symbol.asyncIterator]());
    const nextTypes = async (): Promise<string[]> => {
      const events = await Promise.all(lines.map((line) => line.next()));
      return events.map(({ value }) => JSON.parse(value ?? '').type);
    };
    expect(new Set(await nextTypes())).toEqual(new Set(['ADDED']));
    await api.delete(`${path}/a`);
    expect(new Set(await nextTypes())).toEqual(new Set(['DELETED']));
  });
});
