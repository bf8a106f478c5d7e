import { join } from 'node:path';
import { beforeEach, expect, onTestFinished } from 'vitest';
import type { ServerOptions } from '../../src/index.ts';
import type { ServeProcess } from '../process/serve-process.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { TestApi } from '../wire/api.ts';

export const configMaps = '/api/v1/namespaces/default/configmaps';
/** The result of a command that succeeds away from a terminal. */
export const quiet = { code: 0, stdout: '', stderr: '' };

/** Makes a directory for each test, with a data directory and a backup that do not exist yet. */
export function backupPlace(): { readonly place: string; readonly dataDir: string; readonly file: string } {
  let place = '';
  beforeEach(async () => {
    place = await temporaryDirectory();
  });
  return {
    get place() {
      return place;
    },
    get dataDir() {
      return join(place, 'data');
    },
    get file() {
      return join(place, 'backup');
    },
  };
}

/**
 * A server in this process, because that is faster. Commands for its directory run after its stop or in processes of their
 * own: file locks are those of a process.
 */
export async function startHere(dataDir: string, options: ServerOptions = {}): Promise<TestApi> {
  const api = await TestApi.start({ ...options, storage: 'embedded', dataDir });
  onTestFinished(() => api.stop());
  return api;
}

export async function stop(server: ServeProcess): Promise<void> {
  server.kill('SIGTERM');
  expect(await server.exited).toEqual({ code: 0, signal: null });
}
