import { expect, it } from 'vitest';
import { writtenAt } from './expire-events.ts';

const at = (second: number): string => `2030-01-01T00:00:0${second}Z`;

it.each([
  [{ creationTimestamp: at(1) }, at(1)],
  [{ creationTimestamp: at(1), managedFields: [{ time: at(5) }, { time: at(3) }] }, at(5)],
  [{ creationTimestamp: at(4), managedFields: [{}] }, at(4)],
  [{ creationTimestamp: null, managedFields: null }, undefined],
  [undefined, undefined],
])('the last write of %j', (metadata, expected) => {
  const value = Buffer.from(JSON.stringify({ kind: 'Event', metadata }));
  expect(writtenAt(value)).toBe(expected && Date.parse(expected));
});

it('is unknown for an unreadable event', () => {
  expect(writtenAt(Buffer.from('{"metadata":'))).toBeUndefined();
});
