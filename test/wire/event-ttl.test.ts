import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { TestApi } from './api.ts';

const core = '/api/v1/namespaces/default/events';
const newer = '/apis/events.k8s.io/v1/namespaces/default/events';
const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' };
const event = (name: string) => ({ metadata: { name }, involvedObject, reason: 'Test', type: 'Normal' });

async function start(options: Parameters<typeof TestApi.start>[0]): Promise<TestApi> {
  const api = await TestApi.start(options);
  onTestFinished(() => api.stop());
  return api;
}

const namesIn = async (api: TestApi, path: string): Promise<string[]> =>
  (await api.get(path)).body.items.map((item: { metadata: { name: string } }) => item.metadata.name);

it.each(['memory', 'embedded'] as const)('events expire in storage %s, and watchers hear of it', async (storage) => {
  const api = await start({ storage, eventTtlMs: 400 });
  const before = (await api.get(core)).body.metadata.resourceVersion;
  await api.post(core, event('a'));
  await api.post(newer, {
    metadata: { name: 'b' },
    regarding: involvedObject,
    eventTime: '2030-01-01T00:00:00.000000Z',
    reportingController: 'example.com/c',
    reportingInstance: 'i',
    action: 'Do',
    reason: 'Test',
    type: 'Normal',
  });
  await expect.poll(() => namesIn(api, core)).toEqual([]);
  expect(await namesIn(api, newer)).toEqual([]);
  const watched = await api.get(`${core}?watch=1&resourceVersion=${before}&timeoutSeconds=1`);
  const types = watched.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ type, object }) => `${type} ${object.metadata.name}`);
  expect(types.sort()).toEqual(['ADDED a', 'ADDED b', 'DELETED a', 'DELETED b']);
});

it('events that were written before a restart expire after it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'keelson-ttl-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const first = await TestApi.start({ storage: 'embedded', dataDir });
  await first.post(core, event('old'));
  await first.post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'kept' } });
  await first.stop();
  const second = await start({ storage: 'embedded', dataDir, eventTtlMs: 100 });
  await expect.poll(() => namesIn(second, core)).toEqual([]);
  expect((await second.get('/api/v1/namespaces/default/configmaps/kept')).status).toBe(200);
});

it('events stay when they have no time to live, and for an hour by default', async () => {
  for (const options of [{ eventTtlMs: 0 }, {}]) {
    const api = await start(options);
    await api.post(core, event('a'));
    const other = await start({ eventTtlMs: 50 });
    await other.post(core, event('b'));
    await expect.poll(() => namesIn(other, core)).toEqual([]);
    expect(await namesIn(api, core)).toEqual(['a']);
  }
});
