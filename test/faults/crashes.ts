import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { Storage, StorageEvent } from '../../src/storage/index.ts';
import { type Bundle, bundleWriter } from './bundle-writer.ts';
import { createRandom } from './random.ts';
import { sealOf } from './sealed-value.ts';

const writerCount = 8;
const maxWrites = 300;

export interface CrashesOptions {
  readonly kills: number;
  readonly seed: number;
}

let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundleWriter();
});
afterAll(() => bundle.remove());

/** Repeatedly kills a writing process on one directory. */
export async function crashes({ kills, seed }: CrashesOptions): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'keelson-crash-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const random = createRandom(seed);
  const expected = new Survivors();
  let total = 0;
  for (let kill = 0; kill < kills; kill++) {
    // Sometimes the process is killed before its first write, so that startup and recovery are interrupted too.
    const writes = random(10) === 0 ? 0 : 1 + random(maxWrites);
    const acknowledged = await crash({ writer: bundle.writer, directory, seed: seed * 1000 + kill, writes });
    expect(acknowledged.length).toBeGreaterThanOrEqual(writes);
    total += acknowledged.length;
    const storage = await bundle.storage.openEmbeddedStorage({ directory });
    try {
      await expected.check(storage, acknowledged);
    } finally {
      await storage.close();
    }
  }
  expect(total).toBeGreaterThan(kills * 50);
}

interface Acknowledgement {
  readonly revision: number;
  readonly key: string;
  readonly seal: string;
}

interface CrashOptions {
  readonly writer: string;
  readonly directory: string;
  readonly seed: number;
  readonly writes: number;
}

/** Starts a writer, kills it after a number of lines, and returns all lines that it printed. */
async function crash(options: CrashOptions): Promise<Acknowledgement[]> {
  const { writer, directory, seed, writes } = options;
  const child: ChildProcess = spawn(process.execPath, [writer, directory, String(writerCount), String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const exited = once(child, 'exit');
  const acknowledged: Acknowledgement[] = [];
  if (writes === 0) child.kill('SIGKILL');
  let unfinished = '';
  for await (const text of child.stdout!.setEncoding('utf8')) {
    const lines = (unfinished + text).split('\n');
    // The kill may truncate the last line.
    unfinished = lines.pop() ?? '';
    acknowledged.push(...lines.map(parse));
    if (writes > 0 && acknowledged.length >= writes) child.kill('SIGKILL');
  }
  const [, signal] = await exited;
  expect(signal, 'the writer must have been killed, not have failed').toBe('SIGKILL');
  return acknowledged;
}

function parse(line: string): Acknowledgement {
  const [revision = '', key = '', seal = ''] = line.split(' ');
  return { revision: Number(revision), key, seal };
}

/** The expected content of the store, according to all events so far. */
class Survivors {
  readonly #entries = new Map<string, { seal: string; modRevision: number; createRevision: number }>();
  #revision = 0;

  async check(storage: Storage, acknowledged: readonly Acknowledgement[]): Promise<void> {
    const latest = await storage.latestRevision();
    expect(latest).toBeGreaterThanOrEqual(this.#revision);
    const events = await eventsAfter(storage, this.#revision);
    expect(events.map((event) => event.revision)).toEqual(
      Array.from({ length: latest - this.#revision }, (_, index) => this.#revision + 1 + index),
    );
    for (const event of events) this.#take(event);
    this.#revision = latest;

    const written = new Map(events.map((event) => [event.revision, describeEvent(event)]));
    for (const { revision, key, seal } of acknowledged) expect(written.get(revision)).toEqual({ key, seal });
    // Each writer waits for its acknowledgement, so each may have one write that was not acknowledged.
    expect(events.length - acknowledged.length).toBeLessThanOrEqual(writerCount);

    const { entries } = await storage.range({ start: '/', end: '0' });
    const present = entries.map(({ key, value, modRevision, createRevision }) => {
      return [key, { seal: sealOf(key, value), modRevision, createRevision }] as const;
    });
    expect(new Map(present)).toEqual(this.#entries);
  }

  /** Applies an event. Its previous state must be the current one. */
  #take(event: StorageEvent): void {
    const { key, revision, value, createRevision, previous } = event;
    const before = this.#entries.get(key);
    expect(previous && { seal: sealOf(key, previous.value), modRevision: previous.modRevision }).toEqual(
      before && { seal: before.seal, modRevision: before.modRevision },
    );
    if (value) {
      expect(createRevision).toBe(before?.createRevision ?? revision);
      this.#entries.set(key, { seal: sealOf(key, value), modRevision: revision, createRevision });
    } else {
      expect(before).toBeDefined();
      this.#entries.delete(key);
    }
  }
}

async function eventsAfter(storage: Storage, after: number): Promise<StorageEvent[]> {
  const events: StorageEvent[] = [];
  const onEvents = (more: readonly StorageEvent[]): void => void events.push(...more);
  await storage.watch({ prefix: '/', after, onEvents, onError: () => {}, signal: new AbortController().signal });
  return events;
}

function describeEvent({ key, value }: StorageEvent): { key: string; seal: string } {
  return { key, seal: value ? sealOf(key, value) : '-' };
}
