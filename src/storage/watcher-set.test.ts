import { expect, test } from 'vitest';
import type { StorageEvent } from './storage.ts';
import { WatcherSet } from './watcher-set.ts';

test('removes a watcher when its signal aborts, and its abort listener when the watch ends', () => {
  const watchers = new WatcherSet();
  const controller = new AbortController();
  const errors: Error[] = [];
  const add = (signal: AbortSignal): void =>
    watchers.add({ prefix: '/', after: 0, onEvents: () => {}, onError: (error) => errors.push(error), signal });
  add(controller.signal);
  expect(watchers.empty).toBe(false);
  controller.abort();
  expect(watchers.empty).toBe(true);
  add(controller.signal);
  expect(watchers.empty).toBe(true);
  add(new AbortController().signal);
  watchers.fail(new Error('end'));
  watchers.fail(new Error('again'));
  expect(watchers.empty).toBe(true);
  expect(errors.map(({ message }) => message)).toEqual(['end']);
});

test('a watcher aborted by another one during a delivery is not called', () => {
  const watchers = new WatcherSet();
  const second = new AbortController();
  const called: string[] = [];
  const add = (name: string, signal: AbortSignal, then: () => void): void =>
    watchers.add({
      prefix: '/',
      after: 0,
      onEvents: () => {
        called.push(name);
        then();
      },
      onError: () => {},
      signal,
    });
  add('first', new AbortController().signal, () => second.abort());
  add('second', second.signal, () => {});
  watchers.deliver([event(1)]);
  watchers.deliver([event(2)]);
  expect(called).toEqual(['first', 'first']);
});

test('progress is told once, after the revision from which a watcher starts, and not after an abort', () => {
  const watchers = new WatcherSet();
  const received: string[] = [];
  const stopped = new AbortController();
  const add = (name: string, after: number, signal = new AbortController().signal): void =>
    watchers.add({
      prefix: '/',
      after,
      onEvents: () => {},
      onProgress: (revision) => {
        received.push(`${name} ${revision}`);
        if (name === 'bad') throw new Error('a fault');
      },
      onError: ({ message }) => received.push(`${name}: ${message}`),
      signal,
    });
  add('early', 0);
  add('late', 5);
  add('bad', 0);
  add('stopped', 0, stopped.signal);
  stopped.abort();
  for (const revision of [3, 3, 5, 6]) watchers.progress(revision);
  expect(received).toEqual(['early 3', 'bad 3', 'bad: a fault', 'early 5', 'early 6', 'late 6']);
});

test('a watcher that throws is ended with its error, and no other watcher is', () => {
  const watchers = new WatcherSet();
  const received: string[] = [];
  const add = (name: string, then: () => void): void =>
    watchers.add({
      prefix: '/',
      after: 0,
      onEvents: ([first]) => {
        received.push(`${name} ${first!.revision}`);
        then();
      },
      onError: ({ message }) => {
        received.push(`${name}: ${message}`);
        then();
      },
      signal: new AbortController().signal,
    });
  add('bad', () => {
    throw new Error('out of order');
  });
  add('good', () => {});
  watchers.deliver([event(1)]);
  watchers.deliver([event(2)]);
  expect(received).toEqual(['bad 1', 'bad: out of order', 'good 1', 'good 2']);
});

function event(revision: number): StorageEvent {
  return { revision, key: '/a', value: Buffer.from('x'), createRevision: revision, previous: undefined };
}
