import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ServeProcess } from '../process/serve-process.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { objectFile } from './object-file.ts';
import { run, runHere } from './run-command.ts';

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;

/** Starts the command and kills it when the file has reached the size. */
async function killedAt(file: string, size: number, ...args: string[]): Promise<void> {
  const command = new ServeProcess(args);
  await expect.poll(() => sizeOf(file), { interval: 5 }).toBeGreaterThan(size);
  command.kill('SIGKILL');
  expect(await command.exited).toEqual({ code: null, signal: 'SIGKILL' });
}

test('an import that is killed is continued, and so is an export', async () => {
  const count = 12_000;
  const file = await objectFile(count);
  const dataDir = join(await temporaryDirectory(), 'data');
  const flags = ['import', `--from=${file}`, `--data-dir=${dataDir}`];
  await killedAt(join(dataDir, 'store', 'storage.sqlite-wal'), 1_000_000, ...flags);

  const refused = await run('serve', '--secure-port=0', `--data-dir=${dataDir}`);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('has not been finished: run it again') });

  const imported = await runHere(...flags, '--output=json');
  expect(imported).toMatchObject({ code: 0, stderr: expect.stringContaining('continuing an interrupted copy') });
  const report = JSON.parse(imported.stdout) as { copied: number; verified: number };
  expect(report.verified).toBe(count);
  expect(report.copied).toBeLessThan(count);

  const copy = join(dataDir, 'copy.jsonl');
  const exportFlags = ['export', `--to=${copy}`, `--data-dir=${dataDir}`];
  await killedAt(`${copy}.partial`, 1_000_000, ...exportFlags);
  expect(await sizeOf(copy)).toBe(0);
  const exported = await runHere(...exportFlags);
  expect(exported).toMatchObject({ code: 0, stderr: expect.stringContaining('continuing an interrupted copy') });
  expect((await readFile(copy)).equals(await readFile(file))).toBe(true);
});
