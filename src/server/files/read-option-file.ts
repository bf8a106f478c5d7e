import { readFile } from 'node:fs/promises';

/** The content of a file that an option names. Rejects with a RangeError, so that the user hears of the option. */
export async function readOptionFile(option: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new RangeError(`${option}: ${(error as Error).message}`, { cause: error });
  }
}
