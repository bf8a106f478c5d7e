import * as cborg from 'cborg';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DecodeError } from '../../meta/decode-error.ts';
import { decodeCbor } from './decode-cbor.ts';
import { encodeCbor, encodeCborItem } from './encode-cbor.ts';

const float = fc.double({ noNaN: true, noDefaultInfinity: true });
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
    fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
    float.filter((number) => !Number.isInteger(number)),
    fc.float({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Number.isInteger(number)),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.array(tie('value'), { maxLength: 30 }),
    fc.dictionary(fc.string({ unit: 'grapheme' }), tie('value'), { maxKeys: 30, noNullPrototype: true }),
  ),
}));

it('decodes its own output', () => {
  fc.assert(
    fc.property(anything, (value) => {
      expect(decodeCbor(encodeCbor(value)).value).toEqual(value);
    }),
  );
});

it('decodes the output of another library', () => {
  fc.assert(
    fc.property(anything, (value) => {
      expect(decodeCbor(Buffer.from(cborg.encode(value))).value).toEqual(value);
    }),
  );
});

it('writes output that another library decodes', () => {
  fc.assert(
    fc.property(anything, (value) => {
      expect(withTexts(cborg.decode(encodeCborItem(value), { useMaps: true, strict: true }))).toEqual(value);
    }),
  );
});

it('writes floats as short as another library does', () => {
  fc.assert(
    fc.property(fc.oneof(float, fc.float({ noNaN: true, noDefaultInfinity: true })), (value) => {
      fc.pre(!Number.isInteger(value));
      expect(encodeCborItem(value)).toEqual(Buffer.from(cborg.encode(value)));
    }),
  );
});

it('rejects truncated input', () => {
  fc.assert(
    fc.property(anything, (value) => {
      const bytes = encodeCbor(value);
      for (let end = 1; end < Math.min(bytes.length, 200); end++) {
        expect(() => decodeCbor(bytes.subarray(0, end))).toThrow(new DecodeError('unexpected EOF'));
      }
    }),
    { numRuns: 30 },
  );
});

it('returns a value or throws a DecodeError for corrupted bytes', () => {
  const flips = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 7 })), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(anything, flips, (value, changes) => {
      const bytes = encodeCbor(value);
      for (const [position, bit] of changes) bytes[position % bytes.length]! ^= 1 << bit;
      readOrRefuse(bytes);
    }),
    { numRuns: 500 },
  );
});

it('returns a value or throws a DecodeError for arbitrary bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => readOrRefuse(Buffer.from(bytes))),
    { numRuns: 2_000 },
  );
});

/** Accepted values can be encoded and decoded again. Large floats then become integers, as in JSON. */
function readOrRefuse(bytes: Buffer): void {
  let value: unknown;
  try {
    ({ value } = decodeCbor(bytes));
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError);
    return;
  }
  expect(jsonOf(decodeCbor(encodeCbor(value)).value)).toBe(jsonOf(value));
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_key, element) => (typeof element === 'bigint' ? Number(element) : element));
}

function withTexts(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (Array.isArray(value)) return value.map(withTexts);
  if (!(value instanceof Map)) return value;
  const entries = [...value].map(([key, element]) => [withTexts(key), withTexts(element)]);
  return Object.fromEntries(entries);
}
