import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { TestApi } from '../wire/api.ts';
import { becomes, create, expectLost } from './lost-store.ts';

describe('a store that goes away under the server', () => {
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
