import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { OptionFiles } from '../files/option-files.ts';
import { PublishedFiles } from './published-files.ts';
import { ReceivedFiles } from './received-files.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-received-'));
  return () => rm(directory, { recursive: true });
});

/** Writes a file atomically, so that no reader gets a part of it. */
const write = async (name: string, text: string): Promise<string> => {
  const path = join(directory, name);
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
  return path;
};

/** Collects the texts that a thread applies, and its errors. Texts with `bad` are refused. */
async function follower(files: OptionFiles, ...paths: string[]) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const used: string[] = [];
  const errors: string[] = [];
  await files.follow(paths, {
    onContents: (contents) => {
      const text = contents.join('+');
      if (text.includes('bad')) throw new RangeError(text);
      used.push(text);
    },
    onError: ({ message }) => errors.push(message),
    signal: stop.signal,
    intervalMs: 5,
  });
  return { used, errors, stop };
}

/** Creates the files of an additional thread. */
function connected(files: PublishedFiles): ReceivedFiles {
  const connection = files.connect();
  onTestFinished(() => connection.port.close());
  return new ReceivedFiles(connection);
}

it('contents that the first thread has applied are applied in others when they catch up', async () => {
  const path = await write('a', 'one');
  const published = new PublishedFiles();
  const owner = await follower(published, path);
  const received = connected(published);
  const member = await follower(received, path);
  expect(member.used).toEqual(['one']);
  // In the turn in which the first thread applies the change, no message has been received.
  const observed = Promise.withResolvers<readonly string[]>();
  const push = owner.used.push.bind(owner.used);
  owner.used.push = (text) => {
    queueMicrotask(() => {
      const before = member.used.length;
      received.catchUp();
      observed.resolve([String(before), ...member.used]);
    });
    return push(text);
  };
  await write('a', 'two!');
  expect(await observed.promise).toEqual(['1', 'one', 'two!']);
});

it('a thread that does not catch up is told nevertheless, unless it has stopped to follow', async () => {
  const path = await write('a', 'one');
  const published = new PublishedFiles();
  await follower(published, path);
  const received = connected(published);
  const [member, stopped] = [await follower(received, path), await follower(received, path)];
  stopped.stop.abort();
  await write('a', 'two!');
  await vi.waitFor(() => expect(member.used).toEqual(['one', 'two!']));
  expect(stopped.used).toEqual(['one']);
});

it('what the first thread has refused is told to nobody', async () => {
  const path = await write('a', 'good');
  const published = new PublishedFiles();
  const owner = await follower(published, path);
  const received = connected(published);
  const member = await follower(received, path);
  await write('a', 'bad');
  await vi.waitFor(() => expect(owner.errors).toEqual(['bad']));
  const late = await follower(connected(published), path);
  await write('a', 'better');
  await vi.waitFor(() => expect(owner.used).toEqual(['good', 'better']));
  received.catchUp();
  expect([member.used, member.errors]).toEqual([['good', 'better'], []]);
  expect(late.used[0]).toBe('good');
});

it('files that belong together are told together, and with what they name', async () => {
  const paths = [await write('cert', 'cert'), await write('key', 'key')];
  const named = await write('named', 'one');
  const published = new PublishedFiles();
  const owner = await follower(published, ...paths);
  published.readNow(named);
  const received = connected(published);
  const member = await follower(received, ...paths);
  await write('named', 'two');
  published.readNow(named);
  await write('cert', 'bad cert');
  await vi.waitFor(() => expect(owner.errors).toEqual(['bad cert+key']));
  expect(String(received.readNow(named))).toBe('one');
  await write('key', 'key 2');
  await write('cert', 'cert 2');
  await vi.waitFor(() => expect(owner.used.at(-1)).toBe('cert 2+key 2'));
  received.catchUp();
  expect([member.used.at(-1), member.errors]).toEqual(['cert 2+key 2', []]);
  expect(String(received.readNow(named))).toBe('two');
});

it('a file that is read once is what it was when the first thread has read it', async () => {
  const path = await write('tokens', 'old');
  const published = new PublishedFiles();
  await published.read('token-auth-file', path);
  await write('tokens', 'new');
  expect(String(await connected(published).read('token-auth-file', path))).toBe('old');
  const other = await write('other', 'of this thread');
  expect(String(await connected(published).read('other', other))).toBe('of this thread');
  await expect(connected(published).read('gone', `${path}.gone`)).rejects.toThrow(/^gone: ENOENT/);
});
