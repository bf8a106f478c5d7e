import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RotatingFile, type RotatingFileOptions } from './rotating-file.ts';

const megabyte = 1024 * 1024;
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'audit-'));
});

afterEach(() => rm(directory, { recursive: true }));

function openFile(options: Partial<RotatingFileOptions> = {}): Promise<RotatingFile> {
  return RotatingFile.open({
    path: join(directory, 'audit.log'),
    maxSizeMegabytes: 1,
    maxAgeDays: 0,
    maxBackups: 0,
    compress: false,
    onFault: (error) => expect.unreachable(error.message),
    ...options,
  });
}

const line = (text: string, size = text.length + 1): Buffer => Buffer.from(`${text.padEnd(size - 1)}\n`);
const names = async (): Promise<string[]> => (await readdir(directory)).sort();
const content = (name = 'audit.log'): Promise<string> => readFile(join(directory, name), 'utf8');

describe('RotatingFile', () => {
  it('appends to a file that only the owner can read', async () => {
    const first = await openFile();
    await first.write([line('a'), line('b')]);
    await first.close();
    const second = await openFile();
    await second.write([line('c')]);
    await second.close();
    expect(await content()).toBe('a\nb\nc\n');
    expect((await stat(join(directory, 'audit.log'))).mode & 0o777).toBe(0o600);
  });

  it('creates missing directories', async () => {
    const path = join(directory, 'a/b/audit.log');
    const file = await openFile({ path });
    await file.write([line('a')]);
    await file.close();
    expect(await readFile(path, 'utf8')).toBe('a\n');
  });

  it('rotates between two lines when it gets too large, under a unique name', async () => {
    const now = () => new Date('2024-01-02T03:04:05.678Z');
    const file = await openFile({ now });
    const half = megabyte / 2;
    await file.write(['1', '2', '3', '4', '5'].map((text) => line(text, half)));
    await file.write([line('end')]);
    await file.close();
    expect(await names()).toEqual([
      'audit-2024-01-02T03-04-05.678.log',
      'audit-2024-01-02T03-04-05.679.log',
      'audit.log',
    ]);
    const starts = await Promise.all((await names()).map(async (name) => (await content(name)).match(/\S+/g)));
    expect(starts).toEqual([
      ['1', '2'],
      ['3', '4'],
      ['5', 'end'],
    ]);
  });

  it('includes existing content in its size', async () => {
    await writeFile(join(directory, 'audit.log'), line('old', megabyte - 1));
    const file = await openFile();
    await file.write([line('new')]);
    await file.close();
    expect(await content()).toBe('new\n');
    expect(await names()).toHaveLength(2);
  });

  it('accepts lines that are larger than the maximum size', async () => {
    const file = await openFile();
    await file.write([line('a'), line('b', 2 * megabyte), line('c')]);
    await file.close();
    expect(await names()).toHaveLength(3);
    expect(await content()).toBe('c\n');
  });

  it('keeps the newest of the old files', async () => {
    let time = Date.parse('2024-01-01T00:00:00Z');
    const now = () => {
      time += 1000;
      return new Date(time);
    };
    await mkdir(join(directory, 'other'));
    await writeFile(join(directory, 'audit-notes.log'), '');
    const file = await openFile({ maxBackups: 2, now });
    for (let index = 0; index < 5; index++) await file.write([line(String(index), megabyte)]);
    await file.close();
    const kept = (await names()).filter((name) => /^audit-2/.test(name));
    const texts = await Promise.all(kept.map(async (name) => (await content(name)).trim()));
    expect(texts).toEqual(['2', '3']);
    expect(await names()).toEqual(expect.arrayContaining(['audit-notes.log', 'other']));
  });

  it('removes expired files, also on open', async () => {
    const now = () => new Date('2024-01-10T00:00:00Z');
    for (const day of ['01', '08']) await writeFile(join(directory, `audit-2024-01-${day}T00-00-00.000.log`), day);
    await writeFile(join(directory, 'audit-2024-01-02T00-00-00.000.log.gz'), 'x');
    await (await openFile({ maxAgeDays: 3, now })).close();
    expect(await names()).toEqual(['audit-2024-01-08T00-00-00.000.log', 'audit.log']);
  });

  it('compresses old files', async () => {
    const file = await openFile({ compress: true, now: () => new Date('2024-01-02T03:04:05Z') });
    await file.write([line('a', megabyte), line('b', megabyte)]);
    await file.close();
    expect(await names()).toEqual(['audit-2024-01-02T03-04-05.000.log.gz', 'audit.log']);
    const compressed = join(directory, 'audit-2024-01-02T03-04-05.000.log.gz');
    expect(
      gunzipSync(await readFile(compressed))
        .toString()
        .trim(),
    ).toBe('a');
    expect((await stat(compressed)).mode & 0o777).toBe(0o600);
  });

  it('cannot be a directory', async () => {
    await expect(openFile({ path: directory })).rejects.toThrow('EISDIR');
  });

  it('reopens after an error', async () => {
    const file = await openFile();
    await file.write([line('a', megabyte - 4)]);
    await rm(directory, { recursive: true });
    await writeFile(directory, 'a file in the way');
    await expect(file.write([line('lost')])).rejects.toThrow();
    await expect(file.write([line('lost, too')])).rejects.toThrow();
    await rm(directory);
    await file.write([line('there')]);
    await file.close();
    expect(await content()).toBe('there\n');
  });

  it('reports a full disk', async () => {
    const file = await openFile({ path: '/dev/full' });
    await expect(file.write([line('lost')])).rejects.toThrow('ENOSPC');
    await expect(file.write([line('lost, too')])).rejects.toThrow('ENOSPC');
    await file.close();
  });

  it('continues when the file was removed', async () => {
    const file = await openFile();
    await file.write([line('a', megabyte)]);
    await rm(join(directory, 'audit.log'));
    await file.write([line('b')]);
    await file.close();
    expect(await content()).toBe('b\n');
    expect(await names()).toEqual(['audit.log']);
  });
});
