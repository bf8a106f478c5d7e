import { describe, expect, it, onTestFinished } from 'vitest';
import { FairRequest } from '../queues/fair-request.ts';
import { Flow } from '../queues/flow.ts';
import { QueueSet } from '../queues/queue-set.ts';
import { LevelSeats, type LevelShare } from './level-seats.ts';

const oneEach = { queues: 64, handSize: 1, queueLengthLimit: 2 };
const atOnce = { waits: false, isFair: true };

/** Returns the seats of a server as each of its threads sees them. */
function threads(count: number): LevelSeats[] {
  const { memory } = LevelSeats.create(count);
  return Array.from({ length: count }, (_, threadIndex) => new LevelSeats(memory, threadIndex));
}

interface Thread {
  readonly seats: LevelSeats;
  readonly share: LevelShare;
  readonly set: QueueSet;
}

/** The queue sets of one level, and the requests in the order of their starts. */
class Bench {
  now = 0;
  readonly started: string[] = [];
  readonly threads: readonly Thread[];
  readonly #requests = new Map<string, { readonly thread: number; readonly request: FairRequest }>();

  constructor(count: number, seats: number) {
    this.threads = threads(count).map((each) => {
      const share = each.claim('level')!;
      const set = new QueueSet({ now: () => this.now, shared: share });
      set.configure(oneEach);
      set.limit({ seats, wideSeats: seats });
      return { seats: each, share, set };
    });
  }

  /** The user is the first letter of the name. */
  arrive(name: string, thread: number, seats = 1): string {
    const flow = new Flow('schema', name[0]!);
    const request = new FairRequest({ flow: flow as never, seats, onStart: () => this.started.push(name) });
    this.#requests.set(name, { thread, request });
    const arrival = this.threads[thread]!.set.arrive(request);
    if (arrival === 'started') this.started.push(name);
    return arrival;
  }

  finish(name: string, after = 1): void {
    this.now += after;
    const { thread, request } = this.#requests.get(name)!;
    this.threads[thread]!.set.finish(request);
  }

  /** Does what a thread does after it was woken. */
  look(thread: number, isFair = true): void {
    this.threads[thread]!.set.dispatchShared({ isFair });
  }
}

describe('the seats of a level', () => {
  it('are those of all threads', () => {
    const bench = new Bench(2, 2);
    expect(bench.arrive('a1', 0)).toBe('started');
    expect(bench.arrive('b1', 1)).toBe('started');
    expect(bench.arrive('c1', 1)).toBe('waiting');
    expect(bench.threads.map(({ set }) => set.tryStartIdle())).toEqual([false, false]);
    bench.finish('a1');
    bench.look(1);
    expect(bench.started).toEqual(['a1', 'b1', 'c1']);
  });

  it('are taken by a request that is alone, and given back', () => {
    const [first, second] = threads(2).map((each) => each.claim('level')!);
    const set = new QueueSet({ now: () => 0, shared: first });
    set.limit({ seats: 1, wideSeats: 1 });
    expect(set.tryStartIdle()).toBe(true);
    expect(second!.take(1, 1, atOnce)).toBe(false);
    set.recordFinished(0, 0);
    expect(second!.take(1, 1, atOnce)).toBe(true);
  });

  it('are told apart by the names of levels, and forgotten with the last thread that knows the level', () => {
    const [first, second] = threads(2) as [LevelSeats, LevelSeats];
    const a = first.claim('a')!;
    const b = second.claim('b')!;
    expect([a.take(1, 1, atOnce), b.take(1, 1, atOnce)]).toEqual([true, true]);
    expect(second.claim('a')!.inUse).toBe(1);
    a.release();
    expect(second.claim('c')!.inUse).toBe(0);
    expect(b.inUse).toBe(1);
  });

  it('are not shared by more levels than there is room for, until others are released', () => {
    const [first] = threads(1) as [LevelSeats];
    const shares = Array.from({ length: 128 }, (_, index) => first.claim(`l${index}`)!);
    expect(first.claim('one more')).toBe(undefined);
    shares[7]!.release();
    expect(first.claim('one more')).not.toBe(undefined);
  });

  it('let a wider request run alone', () => {
    const bench = new Bench(2, 3);
    expect(bench.arrive('a1', 0, 1)).toBe('started');
    expect(bench.arrive('b1', 1, 5)).toBe('waiting');
    bench.finish('a1');
    bench.look(1);
    expect(bench.started).toEqual(['a1', 'b1']);
    expect(bench.arrive('a2', 0)).toBe('waiting');
  });

  it('refuse a request when the queue is full, wherever its requests wait', () => {
    const bench = new Bench(3, 1);
    const arrivals = [0, 1, 2, 0].map((thread, index) => bench.arrive(`a${index}`, thread));
    expect(arrivals).toEqual(['started', 'waiting', 'waiting', 'queue-full']);
  });

  it('go to the threads in turn while all of them have requests', () => {
    const bench = new Bench(2, 1);
    const names = [0, 1, 2].flatMap((at) => [
      { name: `${'abc'[at]!}0`, thread: 0 },
      { name: `${'xyz'[at]!}1`, thread: 1 },
    ]);
    for (const { name, thread } of names) bench.arrive(name, thread);
    for (let done = 0; done < names.length; done++) {
      bench.finish(bench.started[done]!, 10);
      bench.look(0);
      bench.look(1);
    }
    const byThread = bench.started.map((name) => name[1]).join('');
    expect(byThread).toMatch(/^(01|10){3}$/);
  });

  it('are not left for ever to a thread that does not take them', () => {
    const bench = new Bench(2, 1);
    bench.arrive('a1', 0);
    bench.arrive('b1', 1);
    bench.arrive('c1', 0);
    bench.finish('a1', 50);
    expect(bench.started).toEqual(['a1']);
    bench.look(0, false);
    expect(bench.started).toEqual(['a1', 'c1']);
  });

  it('are free again when a thread has ended', () => {
    const bench = new Bench(2, 1);
    bench.arrive('a1', 1);
    bench.arrive('b1', 0);
    bench.threads[0]!.seats.clear(1);
    bench.look(0);
    expect(bench.started).toEqual(['a1', 'b1']);
    expect(bench.threads[0]!.share.inUse).toBe(1);
  });

  it('wake a thread that waits for them', async () => {
    const bench = new Bench(2, 1);
    bench.arrive('a1', 0);
    bench.arrive('b1', 1);
    bench.finish('a1');
    // The thread was woken before it waited, which has the same effect.
    expect(await bench.threads[1]!.seats.woken()).toBe(true);
    const woken = bench.threads[1]!.seats.woken();
    const timer = setInterval(() => {}, 1000);
    onTestFinished(() => clearInterval(timer));
    expect(await woken).toBe(false);
  });

  it('are in the demand of all threads', () => {
    const [first, second] = threads(2).map((each) => each.claim('level')!);
    first!.demandOfAll({ average: 2, deviation: 3, highest: 5 });
    expect(second!.demandOfAll({ average: 1, deviation: 4, highest: 6 })).toEqual({
      average: 3,
      deviation: 5,
      highest: 11,
    });
  });
});
