import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const pods = '/api/v1/namespaces/default/pods';
const containers = [{ name: 'c', image: 'example.com/c' }];
let made = 0;

async function pod(spec: object = {}, metadata: object = {}): Promise<string> {
  const name = `pod${made++}`;
  const { status } = await api.post(pods, { metadata: { name, ...metadata }, spec: { containers, ...spec } });
  expect(status).toBe(200);
  return `${pods}/${name}`;
}

const onNode = { nodeName: 'n' };
/** Deletes a pod and checks that its deletion time is this many seconds after the request. Returns the response. */
async function deletedIn(path: string, seconds: number): Promise<ApiResponse> {
  const earliest = Math.floor(Date.now() / 1000) + seconds;
  const response = await api.delete(path);
  const end = Date.parse(response.body.metadata.deletionTimestamp) / 1000;
  expect(end).toBeGreaterThanOrEqual(earliest);
  expect(end).toBeLessThanOrEqual(Math.floor(Date.now() / 1000) + seconds);
  return response;
}

describe('a pod on a node', () => {
  it.each([
    ['the time of its spec', { ...onNode, terminationGracePeriodSeconds: 60 }, '', 60],
    ['thirty seconds by default', onNode, '', 30],
    ['what is asked for', onNode, '?gracePeriodSeconds=5', 5],
    ['one second for less than none', onNode, '?gracePeriodSeconds=-7', 1],
  ])('gets %s to end', async (_, spec, query, seconds) => {
    const path = await pod(spec);
    const response = await deletedIn(`${path}${query}`, seconds);
    expect(response.status).toBe(200);
    expect(response.body.metadata).toMatchObject({ generation: 2, deletionGracePeriodSeconds: seconds });
    expect((await api.get(path)).body).toEqual(response.body);
  });

  it('gets less time when asked again, but never more', async () => {
    const path = await pod({ ...onNode, terminationGracePeriodSeconds: 60_000 });
    const { body: before } = await api.delete(path);
    for (const query of [
      '',
      '?gracePeriodSeconds=60000',
      '?gracePeriodSeconds=100000',
      '?propagationPolicy=Foreground',
    ]) {
      expect((await api.delete(`${path}${query}`)).body).toEqual(before);
    }
    const shorter = await api.delete(`${path}?gracePeriodSeconds=10000`);
    expect(shorter.body.metadata).toMatchObject({ generation: 2, deletionGracePeriodSeconds: 10_000 });
    const saved = Date.parse(before.metadata.deletionTimestamp) - Date.parse(shorter.body.metadata.deletionTimestamp);
    expect(saved).toBe(50_000_000);
    expect((await api.delete(`${path}?gracePeriodSeconds=-1`)).body.metadata.deletionGracePeriodSeconds).toBe(1);
    const gone = await api.delete(`${path}?gracePeriodSeconds=0`);
    expect(gone.body).toMatchObject({ kind: 'Pod', metadata: { deletionGracePeriodSeconds: 0 } });
    expect((await api.get(path)).status).toBe(404);
  });

  it('stays after its last finalizer until its time is over', async () => {
    const path = await pod(onNode, { finalizers: ['example.com/hold'] });
    await api.delete(path);
    await api.patch(path, { metadata: { finalizers: null } });
    expect((await api.get(path)).body.metadata.deletionGracePeriodSeconds).toBe(30);
    await api.delete(`${path}?gracePeriodSeconds=0`);
    expect((await api.get(path)).status).toBe(404);
  });

  it('stays after its time until its last finalizer', async () => {
    const path = await pod(onNode, { finalizers: ['example.com/hold'] });
    await api.delete(`${path}?gracePeriodSeconds=0`);
    expect((await api.get(path)).body.metadata.deletionGracePeriodSeconds).toBe(0);
    await api.patch(path, { metadata: { finalizers: null } });
    expect((await api.get(path)).status).toBe(404);
  });

  it('keeps its grace period if it has ended after its deletion began', async () => {
    const path = await pod(onNode);
    await api.delete(path);
    await api.patch(`${path}/status`, { status: { phase: 'Failed' } });
    expect((await api.delete(path)).body.metadata.deletionGracePeriodSeconds).toBe(30);
  });
});

describe('no grace period is given to', () => {
  it.each([
    ['a pod on no node', {}, undefined, '?gracePeriodSeconds=30'],
    ['one that has succeeded', onNode, 'Succeeded', ''],
    ['one that has failed', onNode, 'Failed', '?gracePeriodSeconds=30'],
    ['one that wants none', { ...onNode, terminationGracePeriodSeconds: 0 }, undefined, ''],
    ['one that is forced', onNode, undefined, '?gracePeriodSeconds=0'],
  ])('%s', async (_, spec, phase, query) => {
    const path = await pod(spec);
    if (phase !== undefined) await api.patch(`${path}/status`, { status: { phase } });
    const dry = await api.delete(`${path}${query}${query === '' ? '?' : '&'}dryRun=All`);
    expect(dry.body.metadata).toMatchObject({ generation: 2, deletionGracePeriodSeconds: 0 });
    const before = (await api.get(path)).body;
    expect(before.metadata.deletionTimestamp).toBeUndefined();
    const watch = await api.watch(`${pods}?watch=1&resourceVersion=${before.metadata.resourceVersion}`);
    const { body } = await api.delete(`${path}${query}`);
    expect(body.metadata).toMatchObject({ generation: 2, deletionGracePeriodSeconds: 0 });
    expect((await api.get(path)).status).toBe(404);
    // Watches show the marked pod before its deletion.
    const [marked, gone] = [await watch.next(), await watch.next()];
    expect(marked).toMatchObject({ type: 'MODIFIED', object: { metadata: { deletionGracePeriodSeconds: 0 } } });
    expect(gone).toMatchObject({ type: 'DELETED', object: { metadata: body.metadata } });
    watch.close();
  });

  it('anything but pods', async () => {
    const configMaps = await api.configMaps('default', { a: {} });
    const { body } = await api.delete(`${configMaps}/a?gracePeriodSeconds=30`);
    expect(body).toMatchObject({ kind: 'Status', status: 'Success' });
  });
});

it('answers a collection with the pods as they were', async () => {
  await pod(onNode, { labels: { set: 'yes' } });
  const swept = await api.delete(`${pods}?labelSelector=set%3Dyes&gracePeriodSeconds=7`);
  expect(swept.body.items[0].metadata.deletionTimestamp).toBeUndefined();
  const { body } = await api.get(`${pods}?labelSelector=set%3Dyes`);
  expect(body.items[0].metadata.deletionGracePeriodSeconds).toBe(7);
});
