import fc from 'fast-check';
import { expect, it } from 'vitest';
import { struct } from '../builders.ts';
import { everyType } from '../every-type.conformance.ts';
import type { StructSchema } from '../model.ts';
import { compileKind, Findings } from './index.ts';

const Everything: StructSchema = struct('core/v1.Everything', () => everyType(Everything));

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
/** The depth is limited, because the number of objects grows with every level. */
const depthIdentifier = fc.createDepthIdentifier();
const maybeNested = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, depthIdentifier, maxDepth: 3 });
const quantities = fc.oneof(
  fc.tuple(fc.integer(), fc.constantFrom('', 'm', 'Ki', 'e2', '.5')).map((pieces) => pieces.join('')),
  fc.double({ min: -1e9, max: 1e9, noNaN: true }),
);
const dates = fc.date({ min: new Date('0001-01-02'), max: new Date('9998-01-01'), noInvalidDate: true });
const durations = fc.tuple(fc.nat(1000), fc.constantFrom('h', 'm', 's', 'ms', 'us')).map((pieces) => pieces.join(''));

const { object } = fc.letrec((tie) => ({
  object: fc.record(
    {
      string: maybe(fc.string()),
      bool: maybe(fc.boolean()),
      int32: maybe(fc.integer()),
      int64: maybe(fc.maxSafeInteger()),
      float64: maybe(fc.double({ noNaN: true, noDefaultInfinity: true })),
      bytes: maybe(fc.base64String()),
      time: maybe(dates.map((date) => date.toISOString())),
      microTime: maybe(dates.map((date) => date.toISOString().replace('Z', '000Z'))),
      duration: maybe(durations),
      quantity: maybe(quantities),
      intOrString: maybe(fc.oneof(fc.integer(), fc.string())),
      json: maybe(fc.jsonValue()),
      strings: maybe(fc.array(maybe(fc.string()), { maxLength: 3 })),
      labels: maybe(fc.dictionary(fc.string(), maybe(fc.string()), { maxKeys: 3 })),
      limits: maybe(fc.dictionary(fc.string(), maybe(quantities), { maxKeys: 3 })),
      child: maybeNested(tie('object')),
      children: maybeNested(fc.array(maybe(tie('object')), { maxLength: 2 })),
      byName: maybeNested(fc.dictionary(fc.string(), tie('object'), { maxKeys: 2 })),
      unknown: fc.anything(),
    },
    { requiredKeys: [] },
  ),
}));

const kind = compileKind({ schema: Everything, kind: 'Everything', apiVersion: 'v1' });

it('normalization is idempotent and has no findings the second time', () => {
  fc.assert(
    fc.property(object, fc.boolean(), (input, defaults) => {
      const once = kind.normalize(input, new Findings(), { defaults });
      const findings = new Findings();
      const twice = kind.normalize(once, findings, { defaults });
      expect(JSON.stringify(twice)).toBe(JSON.stringify(once));
      expect(findings.texts).toEqual([]);
      // A stored object is normalized to itself.
      const stored: unknown = JSON.parse(JSON.stringify(once));
      expect(JSON.stringify(kind.normalize(stored, findings, { defaults }))).toBe(JSON.stringify(once));
    }),
  );
});

it('equal objects are encoded to equal bytes, regardless of key order', () => {
  const reversed = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(reversed)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, element]) => [key, key === 'json' ? element : reversed(element)]),
          )
        : value;
  fc.assert(
    fc.property(object, (input) => {
      const one = kind.normalize(input, new Findings());
      const other = kind.normalize(reversed(input), new Findings());
      expect(JSON.stringify(other)).toBe(JSON.stringify(one));
    }),
  );
});
