import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { BackupReader, StoreReader, writeBackup } from './backup/index.ts';
import { put } from './conformance/fixture.conformance.ts';
import { openEmbeddedStorage } from './embedded/open-embedded-storage.ts';
import { openTemporaryStorage, temporaryDirectory } from './embedded/temporary-directory.conformance.ts';

let directory: string;
let file: string;
beforeEach(async () => {
  directory = join(await temporaryDirectory(), 'store');
  file = join(directory, 'storage.sqlite');
  const storage = await openTemporaryStorage({ directory });
  await put(storage, '/a', { text: 'x'.repeat(100_000) });
  await storage.close();
});

const damage = (offset: number, bytes: readonly number[]) => (): void => {
  const content = readFileSync(file);
  content.set(bytes, offset);
  writeFileSync(file, content);
};

const damages: readonly { readonly what: string; readonly change: () => void; readonly text: string }[] = [
  { what: 'no database', change: damage(0, [0]), text: 'file is not a database' },
  { what: 'a header without a format', change: damage(60, [0, 0, 0, 0]), text: 'already exists' },
  { what: 'a damaged schema', change: damage(100, [0xff]), text: 'malformed' },
  { what: 'a lost end', change: () => writeFileSync(file, readFileSync(file).subarray(0, 8192)), text: 'malformed' },
];

/** Expects that a message names the file, its directory and the remedy. */
const named =
  (text: string, path = file, place = directory) =>
  (message: string) => {
    for (const part of [text, `${path} is damaged`, place, 'run keelson verify']) expect(message).toContain(part);
    return true;
  };
const messageOf = async (attempt: () => unknown): Promise<string> => {
  try {
    await attempt();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it succeeded');
};

describe.each(damages)('a store with $what', ({ change, text }) => {
  it('names the file, its directory and the remedy at a start', async () => {
    change();
    const opened = async (): Promise<void> => {
      const storage = await openEmbeddedStorage({ directory });
      await storage.get('/a').finally(() => storage.close());
    };
    expect(await messageOf(opened)).toSatisfy(named(text));
  });
});

it.each(damages.filter(({ what }) => what !== 'a header without a format'))(
  'so does a backup of $what',
  async ({ change }) => {
    change();
    const to = join(await temporaryDirectory(), 'backup');
    const backup = () => writeBackup({ store: file, to, files: new Map(), release: '1', skipUnreadable: false });
    expect(await messageOf(backup)).toSatisfy(named(''));
    expect(await messageOf(() => Array.from(new StoreReader(file).entries()))).toSatisfy(named(''));
    expect(await messageOf(() => new BackupReader(file).verify())).toContain(file);
  },
);

it('a store that has reached its limit names the file, its directory and the remedy', async () => {
  const storage = await openTemporaryStorage({ directory, sizeLimit: 200_000 });
  const refused = await messageOf(() => put(storage, '/b', { text: 'x'.repeat(500_000) }));
  for (const part of [`${file} cannot grow`, directory, 'database or disk is full', 'Free space']) {
    expect(refused).toContain(part);
  }
});

it('a backup into a directory that is missing or no directory names it', async () => {
  const place = await temporaryDirectory();
  await writeFile(join(place, 'file'), '');
  for (const to of [join(place, 'missing', 'backup'), join(place, 'file', 'backup')]) {
    const backup = () => writeBackup({ store: file, to, files: new Map(), release: '1', skipUnreadable: false });
    expect(await messageOf(backup)).toMatch(/cannot be opened.*Check that .* exists/);
  }
});

it('a data directory that is a file is named', async () => {
  const place = await temporaryDirectory();
  await writeFile(join(place, 'file'), '');
  expect(await messageOf(() => openEmbeddedStorage({ directory: join(place, 'file') }))).toContain(join(place, 'file'));
  await mkdir(join(place, 'other', 'storage.sqlite'), { recursive: true });
  const message = await messageOf(() => openEmbeddedStorage({ directory: join(place, 'other') }));
  expect(message).toContain(join(place, 'other', 'storage.sqlite'));
});
