import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const limit = 16 * 1024 * 1024;
/** Sets a fixed maximum, because the default of V8 depends on the memory of the machine. */
const maxYoung = '--max-semi-space-size=32';
const tries = 3;

async function largestYoung(mode: string): Promise<number> {
  const program = join(import.meta.dirname, 'allocating-process.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [maxYoung, program, mode]);
  return Number(stdout);
}

it('keeps the space for new objects small', async () => {
  expect(await largestYoung('unlimited')).toBeGreaterThan(limit);
  // A garbage collection may grow the space before the first check, which runs between two turns of the event loop.
  const measured = [await largestYoung('limited')];
  while (measured.at(-1)! > limit && measured.length < tries) measured.push(await largestYoung('limited'));
  expect(measured.at(-1), String(measured)).toBeLessThanOrEqual(limit);
});

it('does not keep the space for new objects of other threads small', async () => {
  expect(await largestYoung('limited beside a thread that grows')).toBeGreaterThan(limit);
});
