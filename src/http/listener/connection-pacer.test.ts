import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ConnectionPacer } from './connection-pacer.ts';

it('takes four steps in a turn of the event loop, in the order of arrival', async () => {
  const pacer = new ConnectionPacer();
  const taken: number[] = [];
  const sockets = Array.from({ length: 11 }, () => new Socket());
  for (const [index, socket] of sockets.entries()) pacer.pace(socket, () => taken.push(index));
  expect(taken).toEqual([0, 1, 2, 3]);
  // Clients that disconnect while they wait.
  for (const index of [4, 5, 9]) sockets[index]!.destroy();
  await setImmediate();
  expect(taken).toEqual([0, 1, 2, 3, 6, 7, 8, 10]);
});

it('takes a step at once if there are few', async () => {
  const pacer = new ConnectionPacer();
  let taken = 0;
  for (let count = 1; count <= 10; count++) {
    pacer.pace(new Socket(), () => taken++);
    expect(taken).toBe(count);
    await setImmediate();
  }
});
