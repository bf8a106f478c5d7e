import { spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { becomes, create, expectLost, namesOf } from '../corruption/lost-store.ts';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const flags = ['--bind-address=127.0.0.1', '--secure-port=0', '--output=json', '--controllers='];
const serve = (dataDir: string, prefix: string[] = []) =>
  new ServeProcess(['serve', ...flags, `--data-dir=${dataDir}`], { prefix });

/**
 * The command that gives a process a mount namespace of its own, whose mounts end with the process. It requires root or
 * user namespaces.
 */
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
    // The kubeconfig is also on that disk.
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
    // Some writes may still fit into the log of the store.
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
});
