import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { syncDirectory } from '../embedded/durable-directory.ts';
import { fileFailure } from '../file-failure.ts';

/**
 * Creates a file atomically, even when the process is killed or the machine fails. `write` gets the path of an empty
 * file that only its owner can read. Errors of SQLite and of the operating system are thrown as a `StorageError`.
 */
export function replaceFile<T>(path: string, write: (partial: string) => T): T {
  const target = resolve(path);
  const partial = `${target}.${process.pid}.partial`;
  try {
    removeLeftovers(target);
    closeSync(openSync(partial, 'wx', 0o600));
    const result = write(partial);
    sync(partial);
    renameSync(partial, target);
    syncDirectory(dirname(target));
    return result;
  } catch (error) {
    rmSync(partial, { force: true });
    throw fileFailure(error, target);
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Removes temporary files of processes that were killed. */
function removeLeftovers(target: string): void {
  const prefix = `${basename(target)}.`;
  for (const name of readdirSync(dirname(target))) {
    if (!name.startsWith(prefix)) continue;
    const [, pid] = /^(\d+)\.partial$/.exec(name.slice(prefix.length)) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(dirname(target), name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Processes of other users cannot be signalled.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
