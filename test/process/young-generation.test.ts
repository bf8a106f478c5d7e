import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const megabyte = 1024 * 1024;

async function largestYoungGeneration(mode: string): Promise<number> {
  const program = join(import.meta.dirname, 'allocating-process.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program, mode]);
  return Number(stdout);
}

it('keeps the space for new objects small', async () => {
  // A collection may come before the first check, which is made between two turns.
  expect(await largestYoungGeneration('limited')).toBeLessThanOrEqual(16 * megabyte);
  expect(await largestYoungGeneration('unlimited')).toBeGreaterThan(16 * megabyte);
});
