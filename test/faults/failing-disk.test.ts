import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { examine } from '../../src/server/backup/index.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { testedThreads } from '../shared-store/start-tested-server.ts';
import type { TestApi } from '../wire/api.ts';
import { canFail, FailingDisk } from './failing-disk.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const create = (api: TestApi, name: string) => api.post(configMaps, { metadata: { name } });
const becomes = (api: TestApi, path: string, status: number): Promise<void> =>
  vi.waitFor(async () => expect((await api.get(path)).status).toBe(status), { interval: 50 });

type Started = Awaited<ReturnType<typeof start>>;

async function start(...flags: string[]) {
  const place = await temporaryDirectory();
  const dataDir = join(place, 'data');
  const disk = new FailingDisk(place, [`--data-dir=${dataDir}`, '--controllers=', ...flags]);
  const api = await disk.server.api();
  expect((await create(api, 'before')).status).toBe(200);
  await vi.waitFor(async () => expect((await api.get('/keelson/status')).body.threads).toBe(testedThreads), {
    timeout: 30_000,
    interval: 50,
  });
  // A thread reads a type from the disk once. Each request has a new connection, which may reach any thread.
  await Promise.all(Array.from({ length: testedThreads === 1 ? 0 : 8 * testedThreads }, () => api.get(configMaps)));
  return { disk, api, dataDir };
}

/** Expects that the server works again. `name` is the name of a new object. */
async function works({ api }: Started, name: string): Promise<void> {
  await becomes(api, '/readyz', 200);
  expect((await create(api, name)).status).toBe(200);
}

async function isSound({ disk, dataDir }: Started): Promise<void> {
  disk.server.kill('SIGTERM');
  expect(await disk.server.exited).toEqual({ code: 0, signal: null });
  expect((await examine(dataDir, { encryption: undefined })).findings).toEqual([]);
}

const failures = [
  { state: 'ENOSPC', messages: ['is full', 'database or disk is full', 'Free space'] },
  { state: 'EROFS', messages: ['has failed', 'disk I/O error', 'log of the kernel'] },
  { state: 'EIO', messages: ['has failed', 'disk I/O error', 'log of the kernel'] },
] as const;
/** The age at which the result of a check is not used again. */
const resultAge = 500;

describe.skipIf(!canFail)('a disk (skipped without Linux and a C compiler)', () => {
  it('refuses writes, and nothing else, when it is full, has become read-only or fails, until it works again', async () => {
    const server = await start();
    const { disk, api, dataDir } = server;
    for (const { state, messages } of failures) {
      const names = ['a', 'b'].map((name) => `${name}-${state.toLowerCase()}`);
      disk.set(state);
      for (const name of names) {
        const { status, body } = await create(api, name);
        expect(body, state).toMatchObject({ kind: 'Status', reason: 'ServiceUnavailable', code: 503 });
        for (const text of [...messages, join(dataDir, 'store', 'storage.sqlite')])
          expect(body.message).toContain(text);
        expect(status).toBe(503);
      }
      await becomes(api, '/readyz', 500);
      expect((await api.get('/livez')).status).toBe(200);
      expect((await api.get(`${configMaps}/before`)).status).toBe(200);
      expect((await api.get(`${configMaps}/${names[0]}`)).status).toBe(404);
      disk.set('works');
      await works(server, `after-${state.toLowerCase()}`);
    }

    // A slow disk only delays requests.
    disk.set('stall');
    const writes = ['a', 'b', 'c'].map((name) => create(api, name));
    expect((await api.get(`${configMaps}/before`)).status).toBe(200);
    disk.set('works');
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([200, 200, 200]);
    await works(server, 'after');
    await isSound(server);
  });

  it('whose syncs fail is not ready, with and without writes, until a sync succeeds', async () => {
    const server = await start();
    const { disk, api, dataDir } = server;
    const staysUnready = async (): Promise<void> => {
      const begun = performance.now();
      do {
        expect((await api.get('/readyz')).status).toBe(500);
      } while (performance.now() - begun < 3 * resultAge);
    };
    // No write has failed yet.
    disk.set('sync');
    await becomes(api, '/readyz', 500);
    await staysUnready();
    const { text } = await api.get('/readyz/etcd-readiness');
    for (const part of [join(dataDir, 'store', 'storage.sqlite'), 'has failed', 'log of the kernel']) {
      expect(text).toContain(part);
    }
    expect((await create(api, 'refused')).body).toMatchObject({
      code: 503,
      message: expect.stringContaining('failed'),
    });
    // This changes nothing, so it succeeds without a sync.
    expect((await create(api, 'before')).status).toBe(409);
    await staysUnready();
    expect((await api.get(`${configMaps}/refused`)).status).toBe(404);
    disk.set('works');
    await works(server, 'after');
    await isSound(server);
  });

  it('keeps writes waiting, and nothing else, when it does not answer, until it does', async () => {
    const server = await start('--request-timeout=4s');
    const { disk, api } = server;
    disk.set('stall');
    const write = create(api, 'slow');
    expect((await api.get(`${configMaps}/before`)).status).toBe(200);
    expect((await api.get(configMaps)).status).toBe(200);
    // The check has its own timeout.
    await becomes(api, '/readyz', 500);
    expect((await write).body).toMatchObject({ kind: 'Status', code: 504, reason: 'Timeout' });
    disk.set('works');
    await works(server, 'after');
    await isSound(server);
  });
});
