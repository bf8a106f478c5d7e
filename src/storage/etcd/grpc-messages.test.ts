import fc from 'fast-check';
import { expect, test } from 'vitest';
import { framed, MessageReader } from './grpc-messages.ts';

const frameOf = (...parts: readonly Buffer[]): Buffer => Buffer.concat(framed(parts));

const bytes = fc.uint8Array({ maxLength: 20 }).map((array) => Buffer.from(array));

test('finds messages wherever the stream is divided', () => {
  fc.assert(
    fc.property(fc.array(bytes), fc.array(fc.nat({ max: 30 })), (messages, cuts) => {
      const all = Buffer.concat(messages.map((message) => frameOf(message)));
      const ends = [...new Set(cuts)].filter((cut) => cut < all.length).toSorted((left, right) => left - right);
      const reader = new MessageReader(20);
      const found: Buffer[] = [];
      for (const [index, end] of [...ends, all.length].entries()) {
        reader.push(all.subarray(index === 0 ? 0 : ends[index - 1]!, end));
        for (let message = reader.next(); message !== undefined; message = reader.next()) found.push(message);
      }
      expect(found).toEqual(messages);
    }),
  );
});

test('refuses messages that are too large before they have come', () => {
  const reader = new MessageReader(10);
  reader.push(frameOf(Buffer.alloc(11)).subarray(0, 5));
  expect(() => reader.next()).toThrow(new RangeError('Received message larger than max (11 vs 10)'));
});

test('refuses compressed messages', () => {
  const reader = new MessageReader(10);
  const frame = frameOf(Buffer.alloc(3));
  frame[0] = 1;
  reader.push(frame);
  expect(() => reader.next()).toThrow('compressed');
});

test.each([
  { parts: [] },
  { parts: [Buffer.from('a')] },
  { parts: [Buffer.from('ab'), Buffer.of(), Buffer.from('c')] },
])('frames a message of $parts.length parts', ({ parts }) => {
  const reader = new MessageReader(10);
  reader.push(frameOf(...parts));
  expect(reader.next()).toEqual(Buffer.concat(parts));
  expect(reader.next()).toBeUndefined();
});
