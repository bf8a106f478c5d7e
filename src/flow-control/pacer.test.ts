import { expect, it } from 'vitest';
import { PriorityLevel } from './levels/priority-level.ts';
import { Pacer } from './pacer.ts';
import { FairRequest } from './queues/fair-request.ts';
import { Flow } from './queues/flow.ts';

/**
 * Two levels in an event loop whose turns the test runs. Every request takes a millisecond and is then done. If it has
 * later work, it first waits until the next turn.
 */
function loop({ laterMs = 0 } = {}) {
  let now = 0;
  const later: (() => void)[] = [];
  const turns: (() => void)[] = [];
  const started: string[] = [];
  const levels = new Map<string, PriorityLevel>();
  const pacer = new Pacer({
    levels: () => levels.values(),
    nextTurn: (callback) => turns.push(callback),
    activeMs: () => now,
  });
  const queuing = { queues: 64, handSize: 1, queueLengthLimit: 1000 };
  const limited = { limitResponse: { type: 'Queue', queuing } };
  for (const name of ['big', 'small']) {
    const level = new PriorityLevel(name, { now: () => now, isPaused: pacer.isPaused });
    const nominal = name === 'big' ? 90 : 10;
    level.configure({ metadata: {}, spec: { type: 'Limited', limited } }, { nominal, lowest: 0, highest: 100 });
    levels.set(name, level);
  }
  const arrive = (name: string, user: string): void => {
    const level = levels.get(name)!;
    const run = (): void => {
      started.push(`${name} ${user}`);
      now++;
      if (laterMs === 0) {
        pacer.spend(level, level.queues.finish(request));
        return;
      }
      pacer.chargeContinued(level, 1);
      later.push(() => {
        now += laterMs;
        level.queues.finish(request);
      });
    };
    const request: FairRequest = new FairRequest({ flow: new Flow(name, user), seats: 1, onStart: run });
    if (level.queues.arrive(request) === 'started') run();
  };
  const turn = (): void => {
    for (const resume of later.splice(0)) resume();
    for (const callback of turns.splice(0)) callback();
  };
  /** Exempt requests that wait and then take a millisecond each. */
  const exempt = (count: number): void => {
    for (let each = 0; each < count; each++) {
      pacer.countExempt();
      later.push(() => now++);
    }
  };
  return { arrive, exempt, turn, turns, started, levels };
}

it('lets requests wait for another turn when one has had enough', () => {
  const { arrive, turn, turns, started } = loop();
  for (let count = 0; count < 20; count++) arrive('big', 'flood');
  expect(started).toHaveLength(8);
  arrive('big', 'other');
  expect(started).toHaveLength(8);
  turn();
  expect(started).toHaveLength(16);
  expect(started.slice(8, 10)).toContain('big other');
  turn();
  turn();
  expect(started).toHaveLength(21);
  expect(turns).toEqual([]);
});

it('gives turns to the levels by their seats, and first to the one that had least', () => {
  const { arrive, turn, started } = loop();
  for (let count = 0; count < 400; count++) {
    arrive('big', 'flood');
    arrive('small', 'flood');
  }
  const before = started.length;
  while (started.length < 200) turn();
  const ofSmall = started.slice(before, 200).filter((name) => name.startsWith('small')).length;
  expect(ofSmall).toBeGreaterThan(10);
  expect(ofSmall).toBeLessThan(35);
});

it('charges requests that wait for what they do later, as far as it has learned', () => {
  const { arrive, turn, started } = loop({ laterMs: 1.5 });
  for (let count = 0; count < 200; count++) arrive('big', 'flood');
  const perTurn: number[] = [started.length];
  for (let before = started.length; started.length < 200; before = started.length) {
    turn();
    perTurn.push(started.length - before);
  }
  expect(perTurn[0]).toBe(8);
  // Each request takes one millisecond now and one and a half later.
  expect(perTurn.at(-2)).toBe(4);
});

it('does not charge requests for what exempt ones do', () => {
  const { arrive, exempt, turn, started } = loop({ laterMs: 0.1 });
  for (let count = 0; count < 200; count++) arrive('big', 'flood');
  const perTurn: number[] = [];
  for (let before = started.length; started.length < 200; before = started.length) {
    exempt(100);
    turn();
    perTurn.push(started.length - before);
  }
  // Each request takes one millisecond now and about one later, which is less than the maximum charge of two.
  expect(perTurn.at(-2)).toBeGreaterThanOrEqual(4);
});

it('lets requests start in every turn, whatever else the server does', () => {
  const { arrive, turn, started } = loop({ laterMs: 1000 });
  for (let count = 0; count < 100; count++) arrive('big', 'flood');
  for (let before = started.length; started.length < 100; before = started.length) {
    turn();
    expect(started.length - before).toBeGreaterThanOrEqual(2);
  }
});

it('asks for no turn when there is little to do', () => {
  const { arrive, turns } = loop();
  for (const name of ['a', 'b']) arrive('big', name);
  expect(turns).toEqual([]);
  arrive('big', 'c');
  expect(turns).toHaveLength(1);
});
