import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('continues after uncaught errors, and logs them', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'faulty-process.ts')]);
  const lines = stdout.trim().split('\n');
  expect(lines.at(-1)).toBe('alive');
  expect(lines.slice(0, -1).sort()).toEqual(
    ['in a listener', 'in a microtask', 'in a promise', 'in a timer'].map((where) => `uncaught error: Error: ${where}`),
  );
});
