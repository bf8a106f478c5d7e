import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const megabyte = 1024 * 1024;

async function largestSpaces(mode: string): Promise<{ readonly young: number; readonly old: number }> {
  const program = join(import.meta.dirname, 'allocating-process.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program, mode]);
  return JSON.parse(stdout) as { young: number; old: number };
}

it('keeps the spaces for new and for old objects small', async () => {
  const limited = await largestSpaces('limited');
  const unlimited = await largestSpaces('unlimited');
  // A collection may come before the first check, which is made between two turns.
  expect(limited.young).toBeLessThanOrEqual(32 * megabyte);
  expect(unlimited.young).toBeGreaterThan(32 * megabyte);
  expect(limited.old).toBeLessThan(unlimited.old);
});

it('does not keep the space for new objects of other threads small', async () => {
  const { young } = await largestSpaces('limited beside a thread that grows');
  expect(young).toBeGreaterThan(32 * megabyte);
});
