import { expect, it } from 'vitest';
import { itemHead } from './item-head.ts';
import { readEnvelope } from './read-envelope.ts';
import { envelopeHead, envelopeTail, writeEnvelope } from './write-envelope.ts';

const hexOf = (hex: string): string => hex.replaceAll(' ', '');

const type = { kind: 'ConfigMap', apiVersion: 'v1' };
const head = '6b387300 0a0f 0a02 7631 1209 436f6e6669674d6170';

it.each([
  ['', `${head} 1200 1a00 2200`],
  ['aabb', `${head} 1202 aabb 1a00 2200`],
])('wraps "%s" in an envelope', (raw, envelope) => {
  const content = Buffer.from(raw, 'hex');
  expect(writeEnvelope(type, content).toString('hex')).toBe(hexOf(envelope));
  expect(readEnvelope(writeEnvelope(type, content))).toEqual({ ...type, raw: content });
});

it('writes the same envelope in chunks', () => {
  const raw = Buffer.alloc(100_000, 'x');
  expect(Buffer.concat([envelopeHead(type, raw.length), raw, envelopeTail])).toEqual(writeEnvelope(type, raw));
});

it.each([
  [2, 0, '1200'],
  [2, 300, '12ac02'],
  [3, 5_000_000, '1ac096b102'],
  [16, 4_294_967_295, '8201ffffffff0f'],
])('writes the item head of field %i for %i bytes', (number, length, hex) => {
  expect(itemHead(number, length).toString('hex')).toBe(hex);
});
