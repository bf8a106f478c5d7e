import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Throws an error that says what to do if no file can be written at a path that the user has named. `argument` is the
 * flag or the operand.
 */
export function checkNewFile(argument: string, path: string): void {
  const problem = problemOf(path);
  if (problem !== undefined) throw new Error(`${argument}: ${path} cannot be written: ${problem}`);
}

function problemOf(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return 'it is a directory; name a file in it';
  const directory = dirname(resolve(path));
  const found = statSync(directory, { throwIfNoEntry: false });
  if (found === undefined) return `the directory ${directory} does not exist; create it, or name another`;
  if (!found.isDirectory()) return `${directory} is a file; name a directory`;
  try {
    accessSync(directory, constants.W_OK);
  } catch (error) {
    const isReadOnly = (error as NodeJS.ErrnoException).code === 'EROFS';
    const reason = isReadOnly ? 'the file system is read-only' : `this user may not write in ${directory}`;
    return `${reason}; name another directory`;
  }
  return undefined;
}
