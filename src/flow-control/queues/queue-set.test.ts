import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairRequest, type RequestFlow } from './fair-request.ts';
import { Flow } from './flow.ts';
import { ModelQueueSet } from './model-queue-set.conformance.ts';
import { QueueSet, type Queuing, type SeatLimits } from './queue-set.ts';

const oneQueueEach: Queuing = { queues: 4096, handSize: 1, queueLengthLimit: 1000 };

interface Setup {
  readonly queuing?: Queuing | undefined;
  readonly limits?: SeatLimits;
}

/** A queue set with a manual clock, and the names of the requests in the order of their starts. */
class Bench {
  now = 0;
  isPaused = false;
  readonly started: string[] = [];
  readonly set = new QueueSet({ now: () => this.now, isPaused: () => this.isPaused });
  readonly #flows = new Map<string, RequestFlow>();
  readonly #requests = new Map<string, FairRequest>();

  constructor({ queuing = oneQueueEach, limits = { seats: 1, wideSeats: 1 } }: Setup = {}) {
    this.set.configure(queuing);
    this.set.limit(limits);
  }

  /** The user of a request is the first letter of its name. */
  arrive(name: string, seats = 1): string {
    const user = name[0]!;
    if (!this.#flows.has(user)) this.#flows.set(user, new Flow('schema', user));
    const flow = this.#flows.get(user)!;
    const request = new FairRequest({ flow, seats, isWide: seats > 1, onStart: () => this.started.push(name) });
    this.#requests.set(name, request);
    const arrival = this.set.arrive(request);
    if (arrival === 'started') this.started.push(name);
    return arrival;
  }

  finish(name: string, after = 0): void {
    this.now += after;
    this.set.finish(this.#requests.get(name)!);
  }

  cancel(name: string): boolean {
    return this.set.cancel(this.#requests.get(name)!);
  }

  /** Advances the clock: every running request takes `ms`, until no request waits. */
  run(ms: number): void {
    for (let done = 0; done < this.started.length; done++) this.finish(this.started[done]!, ms);
  }
}

describe('a queue set', () => {
  it('is free while nobody runs or waits, if it has seats and is not paused', () => {
    const bench = new Bench();
    expect(bench.set.tryStartIdle()).toBe(true);
    bench.isPaused = true;
    expect(bench.set.tryStartIdle()).toBe(false);
    bench.isPaused = false;
    bench.arrive('a1');
    expect(bench.set.tryStartIdle()).toBe(false);
    bench.finish('a1');
    expect(bench.set.tryStartIdle()).toBe(true);
    bench.set.limit({ seats: 0, wideSeats: 0 });
    expect(bench.set.tryStartIdle()).toBe(false);
  });

  it('knows the demand of requests that have passed', () => {
    const { set } = new Bench();
    set.recordFinished(2, 4);
    expect(set.demand.take(8)).toMatchObject({ average: 0.25, highest: 1 });
  });

  it('starts a request at once while there are seats', () => {
    const bench = new Bench({ limits: { seats: 2, wideSeats: 2 } });
    expect(['a1', 'a2', 'a3'].map((name) => bench.arrive(name))).toEqual(['started', 'started', 'waiting']);
    expect([bench.set.seatsInUse, bench.set.waiting]).toEqual([2, 1]);
    bench.finish('a1', 1);
    expect(bench.started).toEqual(['a1', 'a2', 'a3']);
  });

  it('serves flows in turn, however many requests each has', () => {
    const bench = new Bench();
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1']) bench.arrive(name);
    bench.run(10);
    // The first request already runs when the others arrive.
    expect(bench.started.slice(0, 5).toSorted()).toEqual(['a1', 'a2', 'b1', 'b2', 'c1']);
    expect(bench.started.slice(5)).toEqual(['a3', 'a4', 'a5']);
  });

  it('gives a flow with long requests fewer of them', () => {
    const bench = new Bench();
    for (let at = 0; at < 20; at++) {
      bench.arrive(`a${at}`);
      bench.arrive(`b${at}`);
    }
    for (let done = 0; done < 20; done++) {
      const name = bench.started[done]!;
      bench.finish(name, name.startsWith('a') ? 40 : 10);
    }
    const ofA = bench.started.slice(0, 20).filter((name) => name.startsWith('a')).length;
    // A fifth of the requests, which take half of the time.
    expect(ofA).toBeGreaterThanOrEqual(3);
    expect(ofA).toBeLessThanOrEqual(5);
  });

  it('lets a new flow start before one that has a long request running', () => {
    const bench = new Bench({ limits: { seats: 3, wideSeats: 3 } });
    bench.arrive('a1', 2);
    bench.arrive('b1');
    bench.arrive('a2');
    bench.now = 500;
    bench.arrive('c1');
    bench.finish('b1');
    // Until a1 ends, its flow is charged only for the expected duration.
    expect(bench.started).toEqual(['a1', 'b1', 'c1']);
  });

  it('does not pay a flow for the time in which it asked for nothing', () => {
    const bench = new Bench();
    bench.arrive('a1');
    bench.finish('a1', 10_000);
    bench.arrive('b1');
    for (const name of ['a2', 'a3', 'a4', 'b2', 'b3', 'b4']) bench.arrive(name);
    bench.run(10);
    expect(
      bench.started
        .slice(2, 5)
        .map((name) => name[0])
        .toSorted()
        .join(''),
    ).not.toBe('aaa');
  });

  it('refuses a request when all queues of its flow are full', () => {
    const bench = new Bench({ queuing: { queues: 4096, handSize: 2, queueLengthLimit: 2 } });
    const arrivals = Array.from({ length: 7 }, (_, at) => bench.arrive(`a${at}`));
    expect(arrivals).toEqual(['started', 'waiting', 'waiting', 'waiting', 'waiting', 'queue-full', 'queue-full']);
    expect(bench.arrive('b0')).toBe('waiting');
  });

  it('refuses what it cannot start when it has no queues', () => {
    const bench = new Bench({ queuing: undefined, limits: { seats: 3, wideSeats: 3 } });
    bench.set.configure(undefined);
    expect(['a0', 'a1', 'a2', 'a3'].map((name) => bench.arrive(name))).toEqual([
      'started',
      'started',
      'started',
      'concurrency-limit',
    ]);
    bench.finish('a1');
    expect(bench.arrive('a4')).toBe('started');
  });

  it('runs a request alone that is wider than all seats', () => {
    const bench = new Bench({ limits: { seats: 4, wideSeats: 4 } });
    bench.arrive('a1');
    expect(bench.arrive('b1', 9)).toBe('waiting');
    expect(bench.arrive('c1', 5)).toBe('waiting');
    bench.finish('a1');
    expect(bench.started).toEqual(['a1', 'c1']);
    bench.finish('c1');
    expect(bench.started).toEqual(['a1', 'c1', 'b1']);
  });

  it.each<[queuing: Queuing | undefined, arrival: string]>([
    [oneQueueEach, 'waiting'],
    [undefined, 'concurrency-limit'],
  ])('runs nothing without seats, with %o', (queuing, arrival) => {
    const set = new QueueSet({ now: () => 0 });
    set.configure(queuing);
    set.limit({ seats: 0, wideSeats: 1 });
    expect(set.arrive(new FairRequest({ flow: new Flow('s', 'a'), seats: 1 }))).toBe(arrival);
  });

  it('does not let small requests overtake a wide one for ever', () => {
    const bench = new Bench({ limits: { seats: 4, wideSeats: 4 } });
    for (const name of ['a0', 'b0', 'c0', 'd0']) bench.arrive(name);
    bench.arrive('w0', 4);
    let next = 1;
    for (let round = 0; round < 50 && !bench.started.includes('w0'); round++) {
      const running = bench.started.slice(-4);
      for (const user of ['a', 'b', 'c', 'd']) bench.arrive(`${user}${next}`);
      next++;
      for (const name of running) bench.finish(name, 5);
    }
    expect(bench.started).toContain('w0');
  });

  it('keeps seats for small requests while wide ones run and wait', () => {
    const bench = new Bench({ limits: { seats: 20, wideSeats: 8 } });
    for (const name of ['a1', 'a2', 'a3', 'a4']) bench.arrive(name, 4);
    expect(bench.started).toEqual(['a1', 'a2']);
    expect(['b1', 'b2', 'c1'].map((name) => bench.arrive(name))).toEqual(['started', 'started', 'started']);
    bench.finish('a1', 30);
    expect(bench.started).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'a3']);
  });

  it('forgets a request that gives up, unless it has started', () => {
    const bench = new Bench();
    for (const name of ['a1', 'b1', 'c1']) bench.arrive(name);
    expect(bench.cancel('b1')).toBe(true);
    expect(bench.cancel('a1')).toBe(false);
    bench.finish('a1', 1);
    expect(bench.started).toEqual(['a1', 'c1']);
    bench.finish('c1', 1);
    expect(bench.set.isIdle).toBe(true);
    expect(bench.set.activeQueues).toBe(0);
  });

  it('starts more when it gets more seats, and keeps what runs when it loses some', () => {
    const bench = new Bench();
    for (const name of ['a1', 'b1', 'c1', 'd1']) bench.arrive(name);
    bench.set.limit({ seats: 3, wideSeats: 3 });
    expect(bench.started).toHaveLength(3);
    bench.set.limit({ seats: 1, wideSeats: 1 });
    bench.finish(bench.started[0]!, 1);
    bench.finish(bench.started[1]!, 1);
    expect(bench.started).toHaveLength(3);
    bench.finish(bench.started[2]!, 1);
    expect(bench.started).toHaveLength(4);
  });

  it('keeps waiting requests when its queues change', () => {
    const bench = new Bench({ queuing: { queues: 64, handSize: 4, queueLengthLimit: 5 } });
    for (const name of ['a1', 'a2', 'b1']) bench.arrive(name);
    bench.set.configure({ queues: 2, handSize: 1, queueLengthLimit: 5 });
    bench.arrive('c1');
    bench.set.configure(undefined);
    bench.run(1);
    expect(bench.started.toSorted()).toEqual(['a1', 'a2', 'b1', 'c1']);
    expect(bench.set.isIdle).toBe(true);
  });

  it('does not let a newcomer wait for those who have waited in pauses', () => {
    const bench = new Bench({ limits: { seats: 100, wideSeats: 100 } });
    bench.isPaused = true;
    for (let count = 0; count < 100; count++) bench.arrive(`a${count}`);
    // Turns of the event loop in which a single request is started. Each takes 50 ms.
    for (let turn = 0; turn < 20; turn++) {
      bench.now += 10;
      bench.set.dispatchOne();
      if (turn >= 5) bench.finish(`a${turn - 5}`);
    }
    bench.arrive('b');
    bench.now++;
    bench.set.dispatchOne();
    expect(bench.started.at(-1)).toBe('b');
  });

  it('starts nothing by itself while it is paused', () => {
    const bench = new Bench({ limits: { seats: 5, wideSeats: 5 } });
    bench.isPaused = true;
    expect(bench.arrive('a1')).toBe('waiting');
    expect(bench.arrive('a2')).toBe('waiting');
    expect(bench.set.dispatchOne()).toBe(true);
    expect(bench.started).toEqual(['a1']);
    bench.isPaused = false;
    bench.arrive('b1');
    expect(bench.started.toSorted()).toEqual(['a1', 'a2', 'b1']);
    expect(bench.set.dispatchOne()).toBe(false);
  });

  it('makes few queues of a level that has millions', () => {
    const bench = new Bench({ queuing: { queues: 10_000_000, handSize: 2, queueLengthLimit: 1 } });
    for (let user = 0; user < 10_000; user++) {
      const flow = new Flow('s', `user ${user}`);
      const request = new FairRequest({ flow, seats: 1 });
      bench.set.arrive(request);
      bench.set.finish(request);
    }
    expect([...bench.set.queues].length).toBeLessThan(5000);
  });
});

/** Virtual times are then whole numbers for up to eight active queues, so that rounding does not decide the order. */
const divisible = (ms: number): number => ms * 840;

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('arrive'), user: fc.nat(5), seats: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('finish'), at: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel'), at: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass'), ms: fc.integer({ min: 1, max: 50 }).map(divisible) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('limit'),
      seats: fc.integer({ min: 1, max: 12 }),
      wideSeats: fc.integer({ min: 1, max: 12 }),
    }),
  },
);
type Step = { do: string; user?: number; seats?: number; wideSeats?: number; at?: number; ms?: number };

/** The first request has used its seats until it ends, so that the last one comes after the second. */
const seatsUntilTheEnd: Step[] = [
  { do: 'arrive', user: 0, seats: 3 },
  { do: 'arrive', user: 0, seats: 4 },
  { do: 'arrive', user: 0, seats: 2 },
  { do: 'pass', ms: 840 },
  { do: 'finish', at: 0 },
  { do: 'arrive', user: 0, seats: 3 },
  { do: 'finish', at: 0 },
];

describe('compared with a model', () => {
  it('starts the same requests in the same order', () => {
    const queuing = { queues: 8, handSize: 3, queueLengthLimit: 4 };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps: readonly Step[]) => {
        let now = 0;
        const limits = { seats: 6, wideSeats: 4 };
        const set = new QueueSet({ now: () => now });
        set.configure(queuing);
        set.limit(limits);
        const model = new ModelQueueSet(queuing, limits);
        const flows = Array.from({ length: 6 }, (_, user): RequestFlow => new Flow('schema', `user-${user}`));
        const requests: FairRequest[] = [];
        const started: number[] = [];
        const pick = (at: number, from: readonly number[]): number | undefined => from[at % from.length];
        for (const { do: what, user = 0, seats = 1, wideSeats = 1, at = 0, ms = 0 } of steps) {
          if (what === 'pass') now += ms;
          else if (what === 'limit') {
            set.limit({ seats, wideSeats });
            model.limit({ seats, wideSeats }, now);
          } else if (what === 'arrive') {
            const id = requests.length;
            const isWide = seats > 1;
            const request = new FairRequest({ flow: flows[user]!, seats, isWide, onStart: () => started.push(id) });
            requests.push(request);
            // A request that is alone may also have started before it joins.
            const joins = seats === 1 && at % 2 === 0 && set.tryStartIdle();
            if (joins) set.join(request, now);
            const arrival = joins ? 'started' : set.arrive(request);
            if (arrival === 'started') started.push(id);
            expect(model.arrive({ id, hand: flows[user]!.hand.map(({ index }) => index), seats }, now)).toBe(arrival);
          } else {
            const id = pick(at, what === 'finish' ? model.running : model.waiting);
            if (id === undefined) continue;
            if (what === 'finish') set.finish(requests[id]!);
            else expect(set.cancel(requests[id]!)).toBe(true);
            model.end(id, now);
          }
          expect(started).toEqual(model.started);
          expect([set.waiting, set.executing, set.seatsInUse]).toEqual([
            model.waiting.length,
            model.running.length,
            model.seatsInUse,
          ]);
        }
      }),
      { examples: [[seatsUntilTheEnd]] },
    );
  });
});
