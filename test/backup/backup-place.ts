import { join } from 'node:path';
import { beforeEach, expect, onTestFinished } from 'vitest';
import type { ServerOptions } from '../../src/index.ts';
import type { ServeProcess } from '../process/serve-process.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { TestApi } from '../wire/api.ts';

export const configMaps = '/api/v1/namespaces/default/configmaps';
/** The result of a command that succeeds without a terminal. */
export const quiet = { code: 0, stdout: '', stderr: '' };

/**
 * Creates a directory for each test. It has paths for a data directory and for a backup, neither of which exists yet.
 */
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
 * Starts a server in this process, because that is faster. Commands for its data directory must run after its stop or
 * in other processes, because file locks belong to a process.
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
