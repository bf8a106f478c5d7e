import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import type { Change } from '../storage.ts';
import { CompactionSteps } from './compaction-steps.ts';
import { openDatabase } from './database.ts';
import { integrity } from './integrity.ts';
import { unpackVersions } from './packed-versions.ts';
import { Store } from './store.ts';
import { temporaryDirectory } from './temporary-directory.conformance.ts';

const flips = 100;
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));

function randomNumbers(state: number): (below: number) => number {
  let current = state;
  return (below) => {
    current = (Math.imul(current, 1103515245) + 12345) >>> 0;
    return Math.floor((current / 2 ** 32) * below);
  };
}

const keys = Array.from({ length: 24 }, (_, index) => `/registry/secrets/n/${String.fromCharCode(97 + index)}-name`);
const oldRevision = 40;

/** Fills a store: keys that are created, changed, deleted and created again. Leaves the files of a clean shutdown. */
async function filledStore(random: (below: number) => number): Promise<string> {
  const directory = await temporaryDirectory();
  const { database, close } = openDatabase(directory);
  const store = new Store(database, { compacted: 0 });
  const current = new Map<string, number>();
  for (let round = 0; round < 120; round++) {
    const key = keys[round < keys.length ? round : random(keys.length)]!;
    const expected = current.get(key) ?? 0;
    const value = expected > 0 && random(5) === 0 ? undefined : Buffer.from(`${key} ${round} ${'x'.repeat(300)}`);
    const [revision] = store.commit([{ key, expected, value } satisfies Change]).revisions;
    current.set(key, value === undefined ? 0 : revision!);
  }
  new CompactionSteps(database).reached(store.revision);
  close();
  return directory;
}

interface Target {
  readonly what: string;
  readonly from: number;
  readonly bytes: number;
}

/** The bytes of the cells of the history and of its indexes, without the values. */
function targets(file: Buffer, roots: readonly { readonly name: string; readonly rootpage: number }[]): Target[] {
  const pageSize = file.readUInt16BE(16);
  const found: Target[] = [];
  const visit = (name: string, page: number): void => {
    const start = (page - 1) * pageSize;
    const head = start + (page === 1 ? 100 : 0);
    const type = file[head]!;
    const isLeaf = type === 0x0d || type === 0x0a;
    const count = file.readUInt16BE(head + 3);
    for (let index = 0; index < count; index++) {
      const cell = start + file.readUInt16BE(head + (isLeaf ? 8 : 12) + 2 * index);
      if (!isLeaf) visit(name, file.readUInt32BE(cell));
      // Lengths and the record header, then the key and the revisions; of the table, the value follows.
      if (type !== 0x05) found.push({ what: `${name} entry`, from: cell + (isLeaf ? 0 : 4), bytes: 44 });
    }
    if (!isLeaf) visit(name, file.readUInt32BE(head + 8));
  };
  for (const { name, rootpage } of roots) visit(name, rootpage);
  return found;
}

type Outcome = { readonly value: unknown } | { readonly error: string };

function attempt(read: () => unknown): Outcome {
  try {
    return { value: read() };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

type Seen = string | { readonly corrupt: number };
type Packed = Parameters<typeof unpackVersions>[0];

const seenIn = (packed: Packed): (Seen | undefined)[] =>
  unpackVersions(packed).map((version) => {
    if (version === undefined) return undefined;
    if (version.integrity !== integrity.intact) return { corrupt: version.integrity };
    return `${version.modRevision} ${version.createRevision} ${version.value}`;
  });

/** Reads everything in every way. Each read has its own outcome. */
function readAll(store: Store): Record<string, Outcome> {
  const reads: Record<string, Outcome> = {};
  const all = { start: '/registry/', end: '/registry0' };
  for (const revision of [undefined, oldRevision]) {
    for (const key of [...keys, '/registry/secrets/n/absent', '/registry/secrets/n/b-namd']) {
      reads[`get ${key} ${revision}`] = attempt(() => seenIn(store.get({ key, revision }).versions));
    }
    reads[`list ${revision}`] = attempt(() => {
      const { keys: names, versions } = store.range({ ...all, limit: 1000, revision });
      const seen = seenIn(versions);
      return Object.fromEntries(names.map((name, index) => [name, seen[index]]));
    });
    reads[`count ${revision}`] = attempt(() => store.count({ ...all, revision: revision ?? store.revision }).count);
  }
  for (const prefix of ['', '/registry/secrets/n/b']) {
    for (const after of [0, oldRevision]) {
      reads[`replay ${prefix} ${after}`] = attempt(() => {
        const { revisions, keys: names, versions } = store.replay({ after, prefix });
        const seen = seenIn(versions);
        return revisions.map((revision, index) => [revision, names[index], seen[2 * index], seen[2 * index + 1]]);
      });
    }
  }
  return reads;
}

/** Whether the read is true as far as it is not reported as damaged. */
function isTrue(found: unknown, truth: unknown): boolean {
  if (found !== null && typeof found === 'object' && 'corrupt' in found) return true;
  if (typeof found !== 'object' || typeof truth !== 'object' || found === null || truth === null)
    return found === truth;
  const names = new Set([...Object.keys(found), ...Object.keys(truth)]);
  return Array.from(names).every((name) =>
    isTrue((found as Record<string, unknown>)[name], (truth as Record<string, unknown>)[name]),
  );
}

function revisionsIn(file: string): Set<number> {
  const database = new Database(file, { readonly: true });
  try {
    return new Set(database.prepare<[], number>('SELECT rev FROM history NOT INDEXED').pluck().all());
  } finally {
    database.close();
  }
}

function sweep(directory: string, through: number): Outcome {
  return attempt(() => {
    const { database, close } = openDatabase(directory);
    try {
      const compaction = new CompactionSteps(database);
      compaction.mark(through);
      while (!compaction.sweep().done);
    } finally {
      close();
    }
  });
}

it(`no flipped bit in keys, row headers, index entries and revisions is served silently (FUZZ_SEED=${seed})`, async () => {
  const random = randomNumbers(seed);
  const original = await filledStore(random);
  const file = join(original, 'storage.sqlite');
  const bytes = readFileSync(file);
  const opened = openDatabase(original);
  const truth = readAll(new Store(opened.database, { compacted: 0 }));
  const roots = opened.database
    .prepare("SELECT name, rootpage FROM sqlite_schema WHERE name LIKE 'history%'")
    .all() as { name: string; rootpage: number }[];
  opened.close();
  expect(roots).toHaveLength(4);
  for (const outcome of Object.values(truth)) expect(outcome).toHaveProperty('value');
  const cells = targets(bytes, roots);
  const swept = await temporaryDirectory();
  copyFileSync(file, join(swept, 'storage.sqlite'));
  expect(sweep(swept, 120)).toHaveProperty('value');
  const needed = revisionsIn(join(swept, 'storage.sqlite'));
  let noticed = 0;
  for (let flip = 0; flip < flips; flip++) {
    const { what, from, bytes: length } = cells[random(cells.length)]!;
    const at = from + random(length);
    const bit = random(8);
    const place = `flip ${flip}: bit ${bit} of byte ${at}, in a ${what}`;
    const damaged = Buffer.from(bytes);
    damaged[at]! ^= 1 << bit;
    const directory = await temporaryDirectory();
    const copy = join(directory, 'storage.sqlite');
    writeFileSync(copy, damaged);
    const outcome = attempt(() => {
      const { database, close } = openDatabase(directory);
      try {
        return readAll(new Store(database, { compacted: 0 }));
      } finally {
        close();
      }
    });
    if ('error' in outcome) {
      expect(outcome.error, place).toMatch(/damaged|malformed/);
      noticed += 1;
      continue;
    }
    const reads = outcome.value as Record<string, Outcome>;
    let isNoticed = false;
    for (const [read, found] of Object.entries(reads)) {
      if ('error' in found) expect(found.error, `${place}: ${read}`).toMatch(/damaged|malformed/);
      else expect(isTrue(found.value, (truth[read] as { value: unknown }).value), `${place}: ${read}`).toBe(true);
      isNoticed ||= 'error' in found || JSON.stringify(found.value).includes('"corrupt"');
    }
    noticed += isNoticed ? 1 : 0;
    // A compaction removes nothing that is needed.
    const before = attempt(() => revisionsIn(copy));
    sweep(directory, 120);
    const after = attempt(() => revisionsIn(copy));
    if ('error' in before || 'error' in after) continue;
    const [had, has] = [before.value as Set<number>, after.value as Set<number>];
    const lost = Array.from(needed).filter((revision) => had.has(revision) && !has.has(revision));
    expect(lost, place).toEqual([]);
  }
  expect(noticed, 'flips that a read noticed').toBeGreaterThan(flips / 2);
});
