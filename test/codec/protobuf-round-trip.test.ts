import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeJson } from '../../src/codec/json/index.ts';
import { decodeMessage } from '../../src/codec/protobuf/index.ts';
import { builtInKinds, builtInResources } from '../../src/resources/index.ts';
import * as metaTypes from '../../src/schema/meta-types.ts';
import type { StructSchema } from '../../src/schema/model.ts';
import { compileKind, Findings } from '../../src/schema/normalize/index.ts';
import { generateObject } from './generated-object.ts';
import { encodeReflected } from './reflected-message.ts';

const schemas: readonly (readonly [string, StructSchema])[] = [
  ...new Map(
    [
      ...builtInResources.map(({ schema }) => schema),
      ...builtInKinds.map(({ schema }) => schema),
      metaTypes.DeleteOptions,
      metaTypes.Status,
    ].map((schema) => [schema.name, schema]),
  ),
];

describe.each(schemas)('%s', (_name, schema) => {
  it('comes back from bytes that another encoder made', () => {
    fc.assert(
      fc.property(fc.gen(), fc.boolean(), (generate, packed) => {
        const object = generateObject(generate, schema);
        const decoded = decodeMessage(schema, encodeReflected(schema, object, { packed, zeros: false }));
        if (!isDeepStrictEqual(decoded, object)) expect(encodeJson(decoded)).toBe(encodeJson(object));
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });

  it('means the same with the zero values that Go writes', () => {
    const { normalize } = compileKind({ schema, kind: 'Any', apiVersion: 'v1' });
    fc.assert(
      fc.property(fc.gen(), (generate) => {
        const object = generateObject(generate, schema);
        const decoded = decodeMessage(schema, encodeReflected(schema, object, { packed: false, zeros: true }));
        const findings = new Findings();
        expect(encodeJson(normalize(decoded, findings))).toBe(encodeJson(normalize(object, findings)));
        expect(findings.texts).toEqual([]);
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });
});
