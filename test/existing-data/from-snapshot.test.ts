import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ServerOptions, startServer } from '../../src/index.ts';
import type { Logger } from '../../src/meta/logger.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { TestApi } from '../wire/api.ts';
import { snapshotFile } from './snapshot-file.ts';

interface Logged {
  readonly message: string;
  readonly fields: Record<string, unknown>;
}

function recorded(): { log: Logger; lines: Logged[] } {
  const lines: Logged[] = [];
  const note = (message: string, fields = {}): void => void lines.push({ message, fields });
  return { lines, log: { info: note, error: note, flush: async () => {} } };
}

async function started(options: ServerOptions): Promise<TestApi> {
  const api = await TestApi.start(options, startServer);
  onTestFinished(() => api.stop());
  return api;
}

describe.each(['memory', 'embedded'] as const)('--from-snapshot into %s', (storage) => {
  test('serves the objects of the file with their resource versions, and goes on after them', async () => {
    const { log, lines } = recorded();
    const fromSnapshot = await snapshotFile();
    const api = await started({ storage, fromSnapshot, log });

    const prices = '/api/v1/namespaces/shop/configmaps/prices';
    expect((await api.get(prices)).body).toMatchObject({
      metadata: { name: 'prices', uid: 'uid-prices', resourceVersion: '902' },
      data: { apple: '1' },
    });
    expect((await api.get('/api/v1/namespaces/shop/configmaps/old')).status).toBe(404);
    expect((await api.get('/apis/example.com/v1/namespaces/shop/crontabs/nightly')).body).toMatchObject({
      metadata: { resourceVersion: '904' },
      spec: { cron: '0 2 * * *' },
    });
    const { body: changed } = await api.call('PUT', prices, {
      body: { metadata: { name: 'prices', resourceVersion: '902' }, data: { apple: '2' } },
    });
    expect(Number(changed.metadata.resourceVersion)).toBeGreaterThan(1000);

    expect(lines).toContainEqual({
      message: 'objects copied from the snapshot',
      fields: {
        file: fromSnapshot,
        copied: 4,
        leftOut: { masterleases: 1, podsecuritypolicies: 1, ranges: 1 },
      },
    });
    expect(lines).toContainEqual({
      message: 'objects of the snapshot cannot be read and are skipped',
      fields: { file: fromSnapshot, count: 1, named: ['/registry/secrets/shop/sealed: the value is encrypted'] },
    });
  });

  test('refuses a damaged file', async () => {
    const fromSnapshot = await snapshotFile();
    const bytes = await readFile(fromSnapshot);
    bytes[5000]! ^= 1;
    await writeFile(fromSnapshot, bytes);
    await expect(TestApi.start({ storage, fromSnapshot }, startServer)).rejects.toThrow(`${fromSnapshot} is damaged`);
  });
});

test('a data directory keeps the copy, and is not filled twice', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  const options = { storage: 'embedded', dataDir, controllers: [], fromSnapshot: await snapshotFile() } as const;
  await (await startServer(options)).stop();
  await expect(startServer(options)).rejects.toThrow(`${dataDir} has objects already`);
  const { fromSnapshot: _file, ...later } = options;
  const api = await started(later);
  expect((await api.get('/api/v1/namespaces/shop/configmaps/prices')).body.metadata.resourceVersion).toBe('902');
});

test('without a data directory, the copy is gone when the server stops', async () => {
  const server = await startServer({ controllers: [], fromSnapshot: await snapshotFile() });
  const directory = dirname(server.kubeconfigFile!);
  expect(server.dataDir).toBe(directory);
  await stat(join(directory, 'store'));
  await server.stop();
  await expect(stat(directory)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a snapshot is not copied into etcd', async () => {
  const options: ServerOptions = { storage: 'etcd', etcdServers: ['http://127.0.0.1:1'], fromSnapshot: 'x.db' };
  await expect(startServer(options)).rejects.toThrow(RangeError);
});
