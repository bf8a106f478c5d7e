import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { expect, it } from 'vitest';
import { root } from '../scripts/output-folders.ts';

it('a test and the processes that it starts run in an empty directory with an empty HOME', () => {
  const program = 'console.log(JSON.stringify([process.cwd(), require("node:os").homedir()]))';
  const places = JSON.parse(execFileSync(process.execPath, ['--eval', program], { encoding: 'utf8' })) as string[];
  expect(places).toEqual([process.cwd(), homedir()]);
  for (const place of places) {
    expect(place.startsWith(root)).toBe(false);
    expect(readdirSync(place)).toEqual([]);
  }
});
