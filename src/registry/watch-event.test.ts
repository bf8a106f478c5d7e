import { expect, it } from 'vitest';
import { type ObjectEvent, StoredObject } from '../store/index.ts';
import { SharedWatchEvents, WatchEvent } from './watch-event.ts';

const stored = (data: string, revision: number) =>
  StoredObject.fromValue({ key: '/k', value: Buffer.from(`{"metadata":{"uid":"u"},"data":"${data}"}`), revision });
const documentAt = (object: StoredObject, revision: number) => object.withRevision(revision).bytes;
const before = stored('old', 3);
const modified: ObjectEvent = { type: 'MODIFIED', object: stored('new', 7), previous: before };
const deleted: ObjectEvent = { type: 'DELETED', object: before.withRevision(8), previous: before };

it.each([
  ['an object that appears', modified, 'ADDED', 'new', '7'],
  ['an object that changes', modified, 'MODIFIED', 'new', '7'],
  ['an object that ceases to match', modified, 'DELETED', 'old', '7'],
  ['an object that is deleted', deleted, 'DELETED', 'old', '8'],
] as const)('shows %s', (_what, event, type, data, resourceVersion) => {
  const shown = new SharedWatchEvents(documentAt).of(event, type);
  expect(shown.type).toBe(type);
  expect(JSON.parse(shown.document.toString())).toEqual({ metadata: { uid: 'u', resourceVersion }, data });
});

it('is shared by all watchers', () => {
  const shared = new SharedWatchEvents(documentAt);
  const [added, gone] = [shared.of(modified, 'ADDED'), shared.of(modified, 'DELETED')];
  expect(shared.of(modified, 'ADDED')).toBe(added);
  expect(shared.of(modified, 'DELETED')).toBe(gone);
  shared.of(deleted, 'DELETED');
  expect(shared.of(modified, 'ADDED')).not.toBe(added);
});

it('caches its frame for every format', () => {
  const event = new WatchEvent('ADDED', Buffer.from('x'));
  const formats = ['one', 'two', 'three'];
  for (const format of formats) {
    expect(event.frameIn(format)).toBeUndefined();
    const frame = Buffer.from(format);
    expect(event.keepFrame(format, frame)).toBe(frame);
  }
  expect(formats.map((format) => String(event.frameIn(format)))).toEqual(formats);
});
