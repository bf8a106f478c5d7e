import { join } from 'node:path';
import { beforeEach, expect } from 'vitest';
import type { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

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

export async function stop(server: ServeProcess): Promise<void> {
  server.kill('SIGTERM');
  expect(await server.exited).toEqual({ code: 0, signal: null });
}
