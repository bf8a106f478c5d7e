import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../src/index.ts';
import { run, runHere } from '../existing-data/run-command.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { TestApi } from './api.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

it('shows what a server is doing, or that there is none', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  const api = await TestApi.start({ storage: 'embedded', dataDir }, startServer);
  onTestFinished(() => api.stop());
  const status = async () => JSON.parse((await runHere('status', `--data-dir=${dataDir}`, '--output=json')).stdout);
  const before = await status();
  expect(before).toMatchObject({
    ready: true,
    failing: [],
    apiVersion: expect.stringMatching(/^v1\.36\./),
    status: { version: expect.any(String), storage: { kind: 'embedded', bytes: expect.any(Number) } },
  });
  expect(before.checks).toBeGreaterThan(10);
  expect(before.status.lastBackup).toBeUndefined();

  await api.post(configMaps, { metadata: { name: 'a' } });
  // The command runs in another process, because file locks belong to a process.
  expect((await run('backup', `${dataDir}/backup`, `--data-dir=${dataDir}`)).code).toBe(0);
  const watch = await api.watch(`${configMaps}?watch=true`);
  const after = await status();
  expect(after.status.storage).toMatchObject({
    objects: before.status.storage.objects + 1,
    revision: before.status.storage.revision + 1,
  });
  expect(after.status.requests.watches).toBe(before.status.requests.watches + 1);
  expect(after.status.requests.total).toBeGreaterThan(before.status.requests.total);
  expect(after.status.lastBackup).toMatchObject({ file: `${dataDir}/backup`, objects: after.status.storage.objects });
  watch.close();

  const { stdout, code } = await run('status', `--data-dir=${dataDir}`);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Keelson \S+ at https:\S+ is ready\n/);
  expect(stdout).toContain(`objects at revision ${after.status.lastBackup.revision}, ${dataDir}/backup\n`);
  expect(stdout.split('\n').length).toBeLessThan(24);

  const somebody = { headers: { 'impersonate-user': 'somebody' } };
  expect((await api.get('/keelson/status', somebody)).status).toBe(403);
  expect((await api.get('/keelson/status')).status).toBe(200);
  expect((await api.post('/keelson/status', {})).status).toBe(405);

  await api.stop();
  expect(await runHere('status', `--data-dir=${dataDir}`)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('ECONNREFUSED'),
  });
  expect(await runHere('status', `--data-dir=${dataDir}/none`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no server has run with'),
  });
});
