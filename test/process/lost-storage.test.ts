import { spawnSync } from 'node:child_process';
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { TestApi } from '../wire/api.ts';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const flags = ['--bind-address=127.0.0.1', '--secure-port=0', '--output=json', '--controllers='];
const serve = (dataDir: string, prefix: string[] = []) =>
  new ServeProcess(['serve', ...flags, `--data-dir=${dataDir}`], { prefix });

const create = (api: TestApi, name: string, size = 10) =>
  api.post(configMaps, { metadata: { name }, data: { text: 'x'.repeat(size) } });
const becomes = (api: TestApi, path: string, status: number): Promise<void> =>
  vi.waitFor(async () => expect((await api.get(path)).status).toBe(status), { interval: 50 });
const namesOf = async (api: TestApi): Promise<string[]> =>
  (await api.get(configMaps)).body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);

/** A mount that nobody else sees and that ends with the process. It takes root, or namespaces of the user's own. */
const unshare = process.getuid?.() === 0 ? ['unshare', '-m'] : ['unshare', '-rm'];
const canMount =
  spawnSync(unshare[0]!, [...unshare.slice(1), 'sh', '-c', 'mount -t tmpfs none /mnt'], { timeout: 10_000 }).status ===
  0;

describe.skipIf(!canMount)('a disk that is full (skipped where no file system can be mounted)', () => {
  it('fails /readyz and writes, and nothing else, until there is room again', async () => {
    const dataDir = await temporaryDirectory();
    const script = `mount -t tmpfs -o size=24m,mode=700 none ${dataDir} && exec "$@"`;
    const server = serve(dataDir, [...unshare, 'sh', '-c', script, 'sh']);
    await server.ready();
    // The kubeconfig is on that disk as well.
    const inside = `/proc/${server.pid}/root${dataDir}`;
    const api = await server.api((path) => join('/proc', String(server.pid), 'root', path));
    expect((await create(api, 'before')).status).toBe(200);
    expect((await api.get('/readyz')).status).toBe(200);

    await writeFile(join(inside, 'ballast'), Buffer.alloc(24 * 1024 * 1024)).catch((error) =>
      expect(error).toMatchObject({ code: 'ENOSPC' }),
    );
    await becomes(api, '/readyz', 500);
    expect((await api.get('/readyz/etcd-readiness')).text).toContain('is full');
    const refused: string[] = [];
    // Some may still find room in the log of the store.
    for (let index = 0; index < 30 && refused.length < 3; index++) {
      const { status, body } = await create(api, `large-${index}`, 900_000);
      if (status !== 200) {
        expect(body).toMatchObject({ kind: 'Status', status: 'Failure', code: 503, reason: 'ServiceUnavailable' });
        expect(body.message).toContain('database or disk is full');
        refused.push(`large-${index}`);
      }
    }
    expect(refused).toHaveLength(3);
    expect((await api.get('/livez')).status).toBe(200);
    expect((await api.get(`${configMaps}/before`)).status).toBe(200);
    expect(await namesOf(api)).not.toEqual(expect.arrayContaining([refused[0]]));
    expect(server.stderr).toContain('etcd-readiness');

    await rm(join(inside, 'ballast'));
    await becomes(api, '/readyz', 200);
    expect((await create(api, 'after')).status).toBe(200);
    const names = await namesOf(api);
    expect(names).toEqual(expect.arrayContaining(['before', 'after']));
    for (const name of refused) expect(names).not.toContain(name);
    server.kill('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });
});

describe('a store that goes away under the server', () => {
  const expectLost = async (api: TestApi, how: string): Promise<void> => {
    const { status, body } = await create(api, 'after');
    expect(status).toBe(503);
    expect(body).toMatchObject({ kind: 'Status', reason: 'ServiceUnavailable' });
    expect(body.message).toMatch(new RegExp(`storage\\.sqlite(-wal)? has been ${how} while the server is running`));
    await becomes(api, '/readyz', 500);
    expect((await api.get('/readyz/etcd-readiness')).text).toContain(`has been ${how} while the server is running`);
    expect((await api.get('/livez')).status).toBe(200);
    expect(await namesOf(api)).not.toContain('after');
  };

  it('takes no writes, and the server ends well', async () => {
    const dataDir = join(await temporaryDirectory(), 'data');
    const server = serve(dataDir);
    const api = await server.api();
    expect((await create(api, 'before')).status).toBe(200);
    await rm(dataDir, { recursive: true });
    await expectLost(api, 'deleted');
    expect(server.stderr).toContain('has been deleted while the server is running');
    server.kill('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  it.each<[string, (dataDir: string) => Promise<unknown>, string]>([
    ['the store is deleted', (dataDir) => rm(join(dataDir, 'store'), { recursive: true }), 'deleted'],
    ['the database is deleted', (dataDir) => rm(join(dataDir, 'store/storage.sqlite')), 'deleted'],
    ['its log is deleted', (dataDir) => rm(join(dataDir, 'store/storage.sqlite-wal')), 'deleted'],
    [
      'the data directory is replaced',
      async (dataDir) => {
        await rename(dataDir, `${dataDir}-old`);
        await cp(`${dataDir}-old`, dataDir, { recursive: true });
      },
      'replaced',
    ],
    [
      'the data directory is made anew',
      async (dataDir) => {
        await rm(dataDir, { recursive: true });
        await mkdir(dataDir);
      },
      'deleted',
    ],
  ])('takes no writes: %s', async (_what, lose, how) => {
    const dataDir = join(await temporaryDirectory(), 'data');
    const api = await TestApi.start({ storage: 'embedded', dataDir });
    expect((await create(api, 'before')).status).toBe(200);
    await lose(dataDir);
    await expectLost(api, how);
    await api.stop();
  });

  it('is taken again when it comes back', async () => {
    const dataDir = join(await temporaryDirectory(), 'data');
    const api = await TestApi.start({ storage: 'embedded', dataDir });
    await rename(dataDir, `${dataDir}-away`);
    expect((await create(api, 'x')).status).toBe(503);
    await rename(`${dataDir}-away`, dataDir);
    expect((await create(api, 'x')).status).toBe(200);
    await becomes(api, '/readyz', 200);
    await api.stop();
  });
});
