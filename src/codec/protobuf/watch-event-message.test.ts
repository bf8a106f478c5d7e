import { expect, it } from 'vitest';
import { watchEventFrame, watchEventMessage } from './watch-event-message.ts';

const object = Buffer.from('6b387300', 'hex');
const event = '0a0541444445441206' + '0a046b387300';

it('writes an event around an object and its envelope', () => {
  expect(watchEventMessage('ADDED', object).toString('hex')).toBe(event);
});

it('prefixes the event with its length', () => {
  expect(watchEventFrame('ADDED', object).toString('hex')).toBe(`0000000f${event}`);
  expect(watchEventFrame('ADDED', Buffer.alloc(70_000)).readUInt32BE()).toBe(70_015);
});
