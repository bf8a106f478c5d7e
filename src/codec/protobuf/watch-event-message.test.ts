import { expect, it } from 'vitest';
import { watchEventFrame, watchEventMessage } from './watch-event-message.ts';

const object = Buffer.from('6b387300', 'hex');
const event = '0a0541444445441206' + '0a046b387300';

it('puts an object in its envelope into an event', () => {
  expect(watchEventMessage('ADDED', object).toString('hex')).toBe(event);
});

it('puts the length before the event', () => {
  expect(watchEventFrame('ADDED', object).toString('hex')).toBe(`0000000f${event}`);
  expect(watchEventFrame('ADDED', Buffer.alloc(70_000)).readUInt32BE()).toBe(70_015);
});
