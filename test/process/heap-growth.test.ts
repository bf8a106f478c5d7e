import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const megabyte = 1024 * 1024;
/** The default of V8 depends on the memory of the machine. */
const maxYoung = '--max-semi-space-size=32';
const tries = 3;

interface Spaces {
  readonly young: number;
  readonly old: number;
}

async function largestSpaces(mode: string): Promise<Spaces> {
  const program = join(import.meta.dirname, 'allocating-process.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [maxYoung, program, mode]);
  return JSON.parse(stdout) as Spaces;
}

it('keeps the spaces for new and for old objects small', async () => {
  const unlimited = await largestSpaces('unlimited');
  expect(unlimited.young).toBeGreaterThan(32 * megabyte);
  // A collection may come before the first check, which is made between two turns. On a busy machine, the threads that
  // collect may be late.
  const isSmall = ({ young, old }: Spaces): boolean => young <= 32 * megabyte && old < unlimited.old;
  const measured = [await largestSpaces('limited')];
  while (!isSmall(measured.at(-1)!) && measured.length < tries) measured.push(await largestSpaces('limited'));
  expect(measured.at(-1), JSON.stringify({ measured, unlimited })).toSatisfy(isSmall);
});

it('does not keep the space for new objects of other threads small', async () => {
  const { young } = await largestSpaces('limited beside a thread that grows');
  expect(young).toBeGreaterThan(32 * megabyte);
});
