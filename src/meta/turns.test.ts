import { expect, it, onTestFinished, vi } from 'vitest';
import { inTurns, nextTurn, runSync, type Steps, Turn } from './turns.ts';

function* counted(steps: number, work = () => {}): Steps<number> {
  for (let step = 0; step < steps; step++) {
    work();
    yield;
  }
  return steps;
}

function busyFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it('resumes one waiting caller per turn of the event loop, in order', async () => {
  const log: string[] = [];
  const waiting = ['a', 'b', 'c'].map((name) => nextTurn().then(() => log.push(name)));
  let turns = 0;
  const count = (): void => {
    log.push(String(++turns));
    if (turns < 3) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(waiting);
  expect(log.join('')).toMatch(/^a1b2c/);
});

it('goes on in a turn that has just begun, also while others wait', async () => {
  let time = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  onTestFinished(() => void vi.restoreAllMocks());
  const log: string[] = [];
  time += 10;
  const first = nextTurn().then(async () => {
    log.push('first');
    time += 0.5;
    await nextTurn();
    log.push('first goes on');
    time += 0.5;
    await nextTurn();
    log.push('first again');
  });
  const second = nextTurn().then(() => log.push('second'));
  await Promise.all([first, second]);
  expect(log).toEqual(['first', 'first goes on', 'second', 'first again']);
});

it('lets one of several callers at a time go on in a turn that has just begun', async () => {
  let time = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  onTestFinished(() => void vi.restoreAllMocks());
  const log: string[] = [];
  time += 10;
  await nextTurn();
  setImmediate(() => log.push('turn'));
  await Promise.all(['a', 'b'].map((name) => nextTurn().then(() => log.push(name))));
  expect(log).toEqual(['a', 'turn', 'b']);
});

it('runs short work synchronously', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  expect(inTurns(counted(10))).toBe(10);
  expect(runSync(counted(10))).toBe(10);
});

it('yields to the event loop during long work', async () => {
  let others = 0;
  const timer = setInterval(() => others++, 0);
  const result = inTurns(counted(20, () => busyFor(3)));
  expect(result).toBeInstanceOf(Promise);
  expect(await result).toBe(20);
  clearInterval(timer);
  expect(others).toBeGreaterThan(2);
});

it('rejects with the error that long work throws', async () => {
  const steps = counted(20, () => busyFor(1));
  const failing = function* (): Steps<number> {
    yield* steps;
    throw new RangeError('no');
  };
  await expect(inTurns(failing())).rejects.toThrow('no');
});

it('reports when the time of a turn is over', async () => {
  const turn = new Turn();
  expect(turn.isOver).toBe(false);
  busyFor(20);
  expect(turn.isOver).toBe(true);
  await turn.next();
  expect(turn.isOver).toBe(false);
});
