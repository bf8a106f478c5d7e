import { afterEach, expect, it, vi } from 'vitest';
import { readBody } from './read-body.ts';

afterEach(() => void vi.unstubAllGlobals());

/** Replaces `setImmediate`. The returned function begins the next turn and returns whether there was something to do. */
function controlTurns(): () => Promise<boolean> {
  const callbacks: (() => void)[] = [];
  vi.stubGlobal('setImmediate', (callback: () => void) => callbacks.push(callback));
  return async () => {
    const callback = callbacks.shift();
    callback?.();
    await settled();
    return callback !== undefined;
  };
}

async function settled(): Promise<void> {
  for (let step = 0; step < 20; step++) await undefined;
}

it('lets few writes of a turn continue, in the order of their bodies', async () => {
  const nextTurn = controlTurns();
  const done: number[] = [];
  const write = (index: number): void => {
    const exchange = { readBody: async () => Buffer.from(String(index)) };
    void readBody(exchange as unknown as Parameters<typeof readBody>[0]).then((body) => done.push(Number(body)));
  };
  for (let index = 0; index < 40; index++) write(index);
  await settled();
  expect(done).toHaveLength(16);
  await nextTurn();
  expect(done).toHaveLength(32);
  write(40);
  await settled();
  expect(done).toHaveLength(32);
  await nextTurn();
  expect(done).toEqual(Array.from({ length: 41 }, (_, index) => index));
  while (await nextTurn());
  write(41);
  await settled();
  expect(done).toHaveLength(42);
  while (await nextTurn());
});
