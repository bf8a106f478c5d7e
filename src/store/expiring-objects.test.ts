import { expect, it, onTestFinished } from 'vitest';
import { createMemoryStorage, type Storage } from '../storage/index.ts';
import { ExpiringObjects } from './expiring-objects.ts';

const prefix = '/registry/events/';
const value = (text: string): Buffer => Buffer.from(text);

/** A manual clock that calls the due timers one after the other when it is advanced. */
class ManualClock {
  time: number;
  #waiting: { at: number; callback: () => void }[] = [];

  constructor(time: number) {
    this.time = time;
  }

  now(): number {
    return this.time;
  }

  monotonic(): number {
    return this.time;
  }

  schedule(callback: () => void, delayMs: number): () => void {
    const entry = { at: this.time + delayMs, callback };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== entry);
    };
  }

  get isWaited(): boolean {
    return this.#waiting.length > 0;
  }

  /** Advances the clock and waits until all due work is done. */
  async advance(ms: number): Promise<void> {
    await expect.poll(() => this.isWaited).toBe(true);
    const end = this.time + ms;
    for (;;) {
      const [next] = this.#waiting.filter(({ at }) => at <= end).sort((left, right) => left.at - right.at);
      if (next === undefined) break;
      this.time = Math.max(this.time, next.at);
      this.#waiting = this.#waiting.filter((other) => other !== next);
      next.callback();
      await expect.poll(() => this.isWaited).toBe(true);
    }
    this.time = end;
  }
}

function setUp({ ttlMs = 1000, storage = createMemoryStorage() }: { ttlMs?: number; storage?: Storage } = {}) {
  const stop = new AbortController();
  onTestFinished(async () => {
    stop.abort();
    await storage.close();
  });
  const clock = new ManualClock(1_000_000);
  const errors: unknown[] = [];
  const start = (given: Partial<ConstructorParameters<typeof ExpiringObjects>[0]> = {}) =>
    new ExpiringObjects({
      storage,
      prefix,
      ttlMs,
      clock,
      writtenAt: (bytes) => Number(bytes.toString()) || undefined,
      onError: (error) => errors.push(error),
      ...given,
    }).start(stop.signal);
  const put = async (name: string, text = '', { under = prefix } = {}) => {
    const key = under + name;
    const expected = (await storage.get(key))?.modRevision ?? 0;
    await storage.commit({ key, expected, value: value(text) });
  };
  const names = async () => {
    const { entries } = await storage.range({ start: '/', end: '0' });
    return entries.map(({ key }) => key.slice(key.lastIndexOf('/') + 1));
  };
  return { storage, clock, start, put, names, errors, stop };
}

it('deletes only objects that have not been written for the TTL', async () => {
  const { clock, start, put, names } = setUp();
  start();
  await clock.advance(0);
  await put('a');
  await put('kept', '', { under: '/registry/pods/' });
  await clock.advance(600);
  await put('b');
  await clock.advance(390);
  expect(await names()).toEqual(['a', 'b', 'kept']);
  await clock.advance(50);
  expect(await names()).toEqual(['b', 'kept']);
  await clock.advance(1000);
  expect(await names()).toEqual(['kept']);
});

it('restarts the TTL with every write', async () => {
  const { clock, start, put, names } = setUp();
  start();
  await clock.advance(0);
  await put('a');
  for (let round = 0; round < 5; round++) {
    await clock.advance(900);
    await put('a', `${round + 1}`);
  }
  expect(await names()).toEqual(['a']);
  await clock.advance(1020);
  expect(await names()).toEqual([]);
});

it('uses the recorded write time of existing objects unless it is in the future', async () => {
  const { clock, start, put, names } = setUp();
  await put('early', '999000');
  await put('recent', '999800');
  await put('silent');
  await put('future', '9999999999');
  start();
  await clock.advance(0);
  expect(await names()).toEqual(['future', 'recent', 'silent']);
  await clock.advance(850);
  expect(await names()).toEqual(['future', 'silent']);
  await clock.advance(200);
  expect(await names()).toEqual([]);
});

it('deletes many objects in bounded batches, with watch events', async () => {
  const storage = createMemoryStorage();
  let open = 0;
  let max = 0;
  const counted = {
    range: storage.range.bind(storage),
    watch: storage.watch.bind(storage),
    commit: async (change: Parameters<Storage['commit']>[0]) => {
      max = Math.max(max, ++open);
      return storage.commit(change).finally(() => open--);
    },
  };
  const { clock, start, put, names, stop } = setUp({ storage });
  for (let index = 0; index < 1200; index++) await put(`e${index}`);
  const deleted = new Set<string>();
  const after = await storage.latestRevision();
  const onEvents = (events: readonly { key: string; value: Buffer | undefined }[]) => {
    for (const event of events) if (event.value === undefined) deleted.add(event.key);
  };
  await storage.watch({ prefix, after, onEvents, onError: () => {}, signal: stop.signal });
  start({ storage: counted });
  await clock.advance(2000);
  expect(await names()).toEqual([]);
  expect(deleted.size).toBe(1200);
  expect(max).toBeLessThanOrEqual(64);
});

it('does not delete an object that is written concurrently', async () => {
  const storage = createMemoryStorage();
  const { clock, start, put, names } = setUp({ storage });
  await put('a');
  let isFirst = true;
  start({
    storage: {
      range: storage.range.bind(storage),
      watch: storage.watch.bind(storage),
      commit: async (change) => {
        if (isFirst) await put('a', '5');
        isFirst = false;
        return storage.commit(change);
      },
    },
  });
  await clock.advance(1100);
  expect(await names()).toEqual(['a']);
  await clock.advance(1100);
  expect(await names()).toEqual([]);
});

it('retries after a failure', async () => {
  const storage = createMemoryStorage();
  const { clock, start, put, names, errors } = setUp({ storage });
  await put('a');
  let failures = 2;
  const failing =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (failures-- > 0) throw new Error('not now');
      return call(...args);
    };
  start({
    storage: {
      range: failing(storage.range.bind(storage)),
      watch: storage.watch.bind(storage),
      commit: failing(storage.commit.bind(storage)),
    },
  });
  await clock.advance(70_000);
  expect(await names()).toEqual([]);
  expect(errors).toHaveLength(2);
});
