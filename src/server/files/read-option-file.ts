import { readFile } from 'node:fs/promises';

/** Reads a file that an option names. Rejects with a RangeError that names the option. */
export async function readOptionFile(option: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Node.js does not name the directory.
    const problem = code === 'EISDIR' ? `EISDIR: ${path} is a directory, and a file is needed` : message;
    throw new RangeError(`${option}: ${problem}`, { cause: error });
  }
}
