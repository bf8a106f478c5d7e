import { readFile } from 'node:fs/promises';

/** Reads a file that an option names. Rejects with a RangeError that names the option. */
export async function readOptionFile(option: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new RangeError(`${option}: ${(error as Error).message}`, { cause: error });
  }
}
