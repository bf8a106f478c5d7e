import { describe, expect, it } from 'vitest';
import type { ApiObject, WatchEvent } from './api-object.ts';
import { Following } from './following.ts';
import { History } from './history.ts';

function object(name: string, version: number, uid = name): ApiObject {
  return { metadata: { namespace: 'ns', name, uid, resourceVersion: String(version) } };
}

function event(type: string, name: string, version: number, uid?: string): WatchEvent {
  return { type, object: object(name, version, uid) };
}

const bookmark = (version: number): WatchEvent => ({
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion: String(version) } } as ApiObject,
});

const wrongStreams: [what: string, events: WatchEvent[], message: string][] = [
  ['an event twice', [event('ADDED', 'b', 11), event('ADDED', 'b', 11)], 'ADDED ns/b at 11 came after 11'],
  ['the wrong order', [event('ADDED', 'b', 12), event('ADDED', 'c', 11)], 'ADDED ns/c at 11 came after 12'],
  ['an event of the past', [event('MODIFIED', 'a', 10)], 'MODIFIED ns/a at 10 came after 10'],
  ['something known as new', [event('ADDED', 'a', 11)], 'ADDED ns/a at 11: it was '],
  ['something unknown as changed', [event('MODIFIED', 'b', 11)], 'MODIFIED ns/b at 11: it was not '],
  ['something unknown as deleted', [event('DELETED', 'b', 11)], 'DELETED ns/b at 11: it was not '],
  ['another object under a known name', [event('MODIFIED', 'a', 11, 'new')], 'MODIFIED ns/a at 11: '],
  [
    'a deletion with a state that never was',
    [{ type: 'DELETED', object: { ...object('a', 11), status: { phase: 'Running' } } }],
    'DELETED ns/a at 11 does not show the last ',
  ],
];

const wrongBookmarks: [what: string, events: WatchEvent[], message: string][] = [
  ['goes back', [bookmark(12), bookmark(11)], 'a bookmark went back from 12 to 11'],
  ['promises too much', [bookmark(12), event('ADDED', 'b', 12)], 'ADDED ns/b at 12 came after 12'],
];

const wrongRepetitions: [what: string, events: WatchEvent[], message: string][] = [
  ['leaves something out', [event('MODIFIED', 'a', 12)], 'MODIFIED ns/a at 12 came instead of ADDED ns/b at 11'],
  ['adds something', [event('ADDED', 'c', 11)], 'ADDED ns/c at 11 came instead of ADDED ns/b at 11'],
  ['has another type', [event('MODIFIED', 'b', 11)], 'MODIFIED ns/b at 11 came instead of ADDED ns/b at 11'],
  ['hides something behind a bookmark', [bookmark(11)], 'a bookmark at 11 came instead of ADDED ns/b at 11'],
];

describe('a following notices', () => {
  it.each([...wrongStreams, ...wrongBookmarks])('%s', (_, events, message) => {
    const stream = new Following(10, [object('a', 5)]).resume(10);
    expect(() => events.map((one) => stream.take(one))).toThrow(message);
  });

  it.each(wrongRepetitions)('a repetition that %s', (_, events, message) => {
    const following = new Following(10, [object('a', 5)]);
    const first = following.resume(10);
    for (const one of [event('ADDED', 'b', 11), event('MODIFIED', 'a', 12)]) first.take(one);
    const again = following.resume(10);
    expect(() => events.map((one) => again.take(one))).toThrow(message);
  });

  it('an event that an earlier stream omitted', () => {
    const following = new Following(10, []);
    following.resume(10).take(bookmark(15));
    expect(() => following.resume(10).take(event('ADDED', 'b', 12))).toThrow('was missing when 15 was promised');
  });

  it.each([
    ['in disorder', [object('b', 5), object('a', 5)], 'ns/a came after ns/b in the initial state'],
    ['with an object twice', [object('a', 5), object('a', 5)], 'ns/a came after ns/a in the initial state'],
    ['with an object of the future', [object('a', 11)], 'ns/a is newer than the initial state, 10'],
  ])('an initial state %s', (_, initial, message) => {
    expect(() => new Following(10, initial)).toThrow(message);
  });

  it('nothing when all is well', () => {
    const following = new Following(10, [object('a', 5)]);
    const events = [event('ADDED', 'b', 11), bookmark(12), event('MODIFIED', 'a', 13), event('DELETED', 'a', 15)];
    for (const after of [10, 11, 12, 13, 15]) {
      const stream = following.resume(after);
      for (const one of events) {
        const version = Number(one.object.metadata.resourceVersion);
        if (version > after || after === 10) stream.take(one);
      }
    }
    expect(following.items).toEqual([object('b', 11)]);
    expect(following.seen).toHaveLength(3);
    expect(following.versions).toEqual([10, 11, 12, 13, 15]);
  });
});

describe('a history', () => {
  it.each(wrongStreams)('notices %s', (_, events, message) => {
    const history = new History([object('a', 5)], 10);
    expect(() => events.map((one) => history.record(one))).toThrow(message);
  });

  it('returns states and events of a selection', () => {
    const history = new History([object('a', 5)], 10);
    const running = { ...object('b', 12), status: { phase: 'Running' } };
    const events = [event('ADDED', 'b', 11), { type: 'MODIFIED', object: running }, event('MODIFIED', 'b', 13)];
    for (const one of [...events, event('DELETED', 'a', 14)]) history.record(one);
    const runningOnly = { includes: ({ status }: ApiObject) => status?.phase === 'Running' };
    const all = { includes: () => true };
    expect(history.items(all, 10)).toEqual([object('a', 5)]);
    expect(history.items(all, 12)).toEqual([object('a', 5), running]);
    expect(history.items(all, 14)).toEqual([object('b', 13)]);
    expect(history.items(runningOnly, 12)).toEqual([running]);
    expect(history.items(runningOnly, 13)).toEqual([]);
    expect(history.events(runningOnly, 10, 14)).toEqual([
      { type: 'ADDED', object: running },
      { type: 'DELETED', object: { ...running, metadata: object('b', 13).metadata } },
    ]);
    expect(history.events(all, 11, 13)).toEqual(events.slice(1));
  });
});
