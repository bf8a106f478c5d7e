import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { ServeProcess } from '../process/serve-process.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const hook = join(import.meta.dirname, 'end-a-thread.ts');

/** Starts a process in which SIGUSR2 terminates the named thread. */
const serve = (thread: string, dataDir: string): ServeProcess =>
  new ServeProcess(
    [
      'serve',
      '--bind-address=127.0.0.1',
      '--secure-port=0',
      '--output=json',
      '--controllers=',
      '--threads=2',
      `--data-dir=${dataDir}`,
    ],
    { prefix: ['env', `NODE_OPTIONS=--import=${hook}`, `END_THREAD=${thread}`] },
  );

it('the end of the storage thread ends the process, and that of another thread does not', async () => {
  const dataDir = await temporaryDirectory();
  const server = serve('storage', dataDir);
  const api = await server.api();
  expect((await api.post(configMaps, { metadata: { name: 'answered' } })).status).toBe(200);
  server.kill('SIGUSR2');
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(server.stderr).toContain('the storage thread has ended unexpectedly');
  expect(server.stderr).toContain('the server failed and exits');

  const next = serve('api-1', dataDir);
  const again = await next.api();
  const threads = async (): Promise<number> => (await again.get('/keelson/status')).body.threads;
  expect((await again.get(`${configMaps}/answered`)).status).toBe(200);
  await vi.waitFor(async () => expect(await threads()).toBe(2));
  next.kill('SIGUSR2');
  await vi.waitFor(() => expect(next.stderr).toContain('a thread has ended and is started again'));
  await vi.waitFor(async () => expect(await threads()).toBe(2));
  expect((await again.post(configMaps, { metadata: { name: 'after' } })).status).toBe(200);
  next.kill('SIGTERM');
  expect(await next.exited).toEqual({ code: 0, signal: null });
});
