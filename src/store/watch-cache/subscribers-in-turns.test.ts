import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { ObjectEvent } from '../object-store.ts';
import { StoredObject } from '../stored-object.ts';
import type { Subscriber } from './subscribers.ts';
import { SubscribersInTurns } from './subscribers-in-turns.ts';

const root = '/registry/pods/';
const value = Buffer.from('{"metadata":{"uid":"u"}}');

function added(revision: number): ObjectEvent {
  const object = StoredObject.fromValue({ key: `${root}a`, value, revision });
  return { type: 'ADDED', object, previous: undefined };
}

class Watcher implements Subscriber {
  readonly scope = { prefix: root };
  readonly seen: (number | string)[] = [];
  readonly onEvent = ({ object }: ObjectEvent): void => void this.seen.push(object.revision);
  readonly onError = ({ message }: Error): void => void this.seen.push(message);
}

function crowd(count: number) {
  const subscribers = new SubscribersInTurns(root);
  const watchers = Array.from({ length: count }, () => new Watcher());
  for (const watcher of watchers) subscribers.add(watcher);
  return { subscribers, watchers };
}

it('tells a few subscribers at once', () => {
  const { subscribers, watchers } = crowd(3);
  subscribers.publish(added(1));
  expect(watchers.map(({ seen }) => seen)).toEqual([[1], [1], [1]]);
});

it('tells many subscribers later, in the order of the events', async () => {
  const { subscribers, watchers } = crowd(5000);
  for (const revision of [1, 2, 3]) subscribers.publish(added(revision));
  expect(watchers.every(({ seen }) => seen.length === 0)).toBe(true);
  await setImmediate();
  subscribers.publish(added(4));
  while (watchers.some(({ seen }) => seen.length < 4)) await setImmediate();
  for (const { seen } of watchers) expect(seen).toEqual([1, 2, 3, 4]);
});

it('passes on everything that waits when it is asked to', async () => {
  const { subscribers, watchers } = crowd(5000);
  for (const revision of [1, 2]) subscribers.publish(added(revision));
  // Some subscribers have received the first event.
  await setImmediate();
  subscribers.deliver();
  for (const { seen } of watchers) expect(seen).toEqual([1, 2]);
});

it('does not let more events wait than it may', () => {
  const { subscribers, watchers } = crowd(64);
  for (let revision = 1; revision <= 1025; revision++) subscribers.publish(added(revision));
  expect(watchers.at(-1)!.seen).toHaveLength(1025);
});

it('tells a new subscriber only what is published later, and a deleted one nothing', () => {
  const { subscribers, watchers } = crowd(100);
  const [gone, other] = watchers as [Watcher, Watcher];
  subscribers.publish(added(1));
  subscribers.delete(gone);
  const late = new Watcher();
  subscribers.add(late);
  subscribers.publish(added(2));
  subscribers.deliver();
  expect([gone.seen, other.seen, late.seen]).toEqual([[], [1, 2], [2]]);
});

it('ends subscribers after the events that wait', () => {
  const { subscribers, watchers } = crowd(100);
  subscribers.publish(added(1));
  subscribers.fail(new Error('over'));
  subscribers.publish(added(2));
  subscribers.deliver();
  expect(watchers.at(-1)!.seen).toEqual([1, 'over']);
  expect(subscribers.size).toBe(0);
});
