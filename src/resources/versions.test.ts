import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateObject } from '../../test/codec/generated-object.ts';
import { isLong } from '../../test/is-long.ts';
import { encodeJson } from '../codec/json/encode-json.ts';
import { apiVersionOf } from '../meta/group-version.ts';
import type { ResourceObject } from '../meta/object.ts';
import { compileKind, Findings } from '../schema/normalize/index.ts';
import { builtInResources, optionalResources } from './index.ts';
import { compareSemanticVersions, parseSemanticVersion } from './validation/semantic-version.ts';

const everyResource = [...builtInResources, ...optionalResources];
/** The optional resources with the definition of the version in which their objects are stored. */
const pairs = optionalResources.flatMap((served) => {
  const old = everyResource.find(
    ({ group, version, resource }) =>
      group === served.group && resource === served.resource && version === served.storage!.version,
  )!;
  return served === old ? [] : [{ name: `${apiVersionOf(served)} ${served.resource}`, served, old }];
});

type Definition = (typeof everyResource)[number];

function canonicalizer(definition: Definition): (value: unknown) => ResourceObject {
  const { schema, kind } = definition;
  const compiled = compileKind({ schema, kind, apiVersion: apiVersionOf(definition) });
  // As after storage: information about empty lists of the request is lost.
  return (value) => structuredClone(compiled.normalize(value, new Findings()));
}

describe.each(pairs)('$name', ({ served, old }) => {
  const { toStored, fromStored } = served.storage!.conversion!;
  const asServed = canonicalizer(served);
  const asStored = canonicalizer(old);
  const seeds = fc.nat();
  const generated = (definition: Definition, seed: number) => generateObject(definition.schema, { seed, density: 0.5 });

  it('survives a round trip through the stored version', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        // A device without its only field is converted to one with an empty field.
        const object = fromStored(toStored(asServed(generated(served, seed))));
        const kept = structuredClone(object);
        const converted = toStored(object);
        expect(converted.apiVersion).toBe(apiVersionOf(old));
        expect(fromStored(converted)).toEqual(kept);
      }),
      { numRuns: isLong ? 600 : 25 },
    );
  });

  it('survives a round trip from the stored version', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const object = withoutEmptyChoices(asStored(generated(old, seed)));
        const kept = structuredClone(object);
        const converted = fromStored(object);
        expect(converted.apiVersion).toBe(apiVersionOf(served));
        expect(toStored(converted)).toEqual(kept);
      }),
      { numRuns: isLong ? 600 : 25 },
    );
  });

  it('converts to the canonical form', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const forStorage = toStored(asServed(generated(served, seed)));
        expect(encodeJson(asStored(forStorage))).toBe(encodeJson(forStorage));
        const forClients = fromStored(withoutEmptyChoices(asStored(generated(old, seed))));
        expect(encodeJson(asServed(forClients))).toBe(encodeJson(forClients));
      }),
      { numRuns: isLong ? 600 : 25 },
    );
  });
});

/** Replaces values that v1beta1 cannot express and that validation always rejects. */
function withoutEmptyChoices<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutEmptyChoices) as T;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, field]) => [key, withoutEmptyChoices(field)] as const);
  const copy: Record<string, unknown> = Object.fromEntries(fields);
  if (copy.exactly !== undefined) {
    copy.exactly = { ...(copy.exactly as object), deviceClassName: 'some' };
  }
  if ('pool' in copy && 'driver' in copy) {
    if (copy.nodeName === '') delete copy.nodeName;
    if (copy.allNodes === false) delete copy.allNodes;
  }
  return copy as T;
}

describe('semantic versions', () => {
  const ordered = [
    '0.0.1',
    '1.0.0-1',
    '1.0.0-2',
    '1.0.0-10',
    '1.0.0-a',
    '1.0.0-a.1',
    '1.0.0',
    '1.0.10',
    '1.2.0',
    '2.0.0',
  ];

  it('are ordered by precedence', () => {
    for (const [index, left] of ordered.entries()) {
      for (const [otherIndex, right] of ordered.entries()) {
        const order = compareSemanticVersions(parseSemanticVersion(left)!, parseSemanticVersion(right)!);
        expect(Math.sign(order), `${left} ${right}`).toBe(Math.sign(index - otherIndex));
      }
    }
    expect(compareSemanticVersions(parseSemanticVersion('1.0.0+a')!, parseSemanticVersion('1.0.0+b')!)).toBe(0);
  });

  it.each(['', '1', '1.2', 'v1.2.3', '01.2.3', '1.2.3-', '1.2.3-01', '1.2.3+', '1.2.3.4'])('reject %s', (text) => {
    expect(parseSemanticVersion(text)).toBeUndefined();
  });
});
