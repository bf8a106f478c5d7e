import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { followFiles } from './follow-files.ts';

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-follow-'));
  path = join(directory, 'file');
  return () => rm(directory, { recursive: true, force: true });
});

/** Writes a file atomically, so that no reader gets a part of it. */
async function write(text: string, target = path): Promise<void> {
  await writeFile(`${target}.new`, text);
  await rename(`${target}.new`, target);
}

async function follow(onContent: (text: string) => void = () => {}) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const seen: string[] = [];
  const errors: string[] = [];
  await followFiles([path], {
    onContents: ([content]) => {
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
  await write('one');
  const { seen } = await follow();
  expect(seen).toEqual(['one']);
  await write('two!');
  await vi.waitFor(() => expect(seen).toEqual(['one', 'two!']));
  await writeFile(join(directory, 'next'), 'three');
  await rename(join(directory, 'next'), path);
  await vi.waitFor(() => expect(seen).toEqual(['one', 'two!', 'three']));
});

it('passes on all files that belong together after a change of any', async () => {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const other = join(directory, 'other');
  await write('cert 1');
  await write('key 1', other);
  const seen: string[] = [];
  const errors: string[] = [];
  await followFiles([path, other], {
    onContents: ([cert, key]) => {
      if (String(cert).at(-1) !== String(key).at(-1)) throw new RangeError('no pair');
      seen.push(`${cert}, ${key}`);
    },
    onError: ({ message }) => errors.push(message),
    signal: stop.signal,
    intervalMs: 5,
  });
  await write('cert no 2');
  await vi.waitFor(() => expect(errors).toEqual(['no pair']));
  await write('key no 2', other);
  await vi.waitFor(() => expect(seen).toEqual(['cert 1, key 1', 'cert no 2, key no 2']));
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
  await write('good');
  const { seen, errors } = await follow((text) => {
    if (text === 'bad') throw new RangeError('not usable');
  });
  await write('bad');
  await vi.waitFor(() => expect(errors).toEqual(['not usable']));
  await rm(path);
  await vi.waitFor(() => expect(errors[1]).toMatch(/^ENOENT/));
  await write('better');
  await vi.waitFor(() => expect(seen).toEqual(['good', 'better']));
  // Each error is reported once, independent of the number of polls.
  expect(errors).toHaveLength(2);
});

it.each<[string, () => Promise<void>, string]>([
  ['a file that is not there', async () => {}, 'ENOENT'],
  ['a content that is not usable', () => write('bad'), 'not usable'],
])('rejects %s at the start', async (_what, prepare, message) => {
  await prepare();
  const following = follow(() => {
    throw new RangeError('not usable');
  });
  await expect(following).rejects.toThrow(message);
});
