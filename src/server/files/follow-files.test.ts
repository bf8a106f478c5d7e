import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { followFile } from './follow-file.ts';

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-follow-'));
  path = join(directory, 'file');
  return () => rm(directory, { recursive: true, force: true });
});

async function follow(onContent: (text: string) => void = () => {}) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const seen: string[] = [];
  const errors: string[] = [];
  await followFile(path, {
    onContent: (content) => {
      onContent(content.toString());
      seen.push(content.toString());
    },
    onError: (error) => errors.push(error.message),
    signal: stop.signal,
    intervalMs: 5,
  });
  return { seen, errors, stop };
}

it('passes on the first content and changes', async () => {
  await writeFile(path, 'one');
  const { seen } = await follow();
  expect(seen).toEqual(['one']);
  await writeFile(path, 'two!');
  await vi.waitFor(() => expect(seen).toEqual(['one', 'two!']));
  await writeFile(join(directory, 'next'), 'three');
  await rename(join(directory, 'next'), path);
  await vi.waitFor(() => expect(seen).toEqual(['one', 'two!', 'three']));
});

it('detects a replaced directory', async () => {
  await writeFile(join(directory, 'a'), 'a');
  await writeFile(join(directory, 'b'), 'b');
  await symlink('a', path);
  const { seen } = await follow();
  await symlink('b', join(directory, 'link'));
  await rename(join(directory, 'link'), path);
  await vi.waitFor(() => expect(seen).toEqual(['a', 'b']));
});

it('continues after invalid content and after a missing file', async () => {
  await writeFile(path, 'good');
  const { seen, errors } = await follow((text) => {
    if (text === 'bad') throw new RangeError('not usable');
  });
  await writeFile(path, 'bad');
  await vi.waitFor(() => expect(errors).toEqual(['not usable']));
  await rm(path);
  await vi.waitFor(() => expect(errors[1]).toMatch(/^ENOENT/));
  await writeFile(path, 'better');
  await vi.waitFor(() => expect(seen).toEqual(['good', 'better']));
  // Each error is reported once, independent of the number of polls.
  expect(errors).toHaveLength(2);
});

it.each<[string, () => Promise<void>, string]>([
  ['a file that is not there', async () => {}, 'ENOENT'],
  ['a content that is not usable', () => writeFile(path, 'bad'), 'not usable'],
])('rejects %s at the start', async (_what, prepare, message) => {
  await prepare();
  const following = follow(() => {
    throw new RangeError('not usable');
  });
  await expect(following).rejects.toThrow(message);
});
