import { beforeAll, describe, expect, it } from 'vitest';
import { encoders } from '../../src/codec/encoders/index.ts';
import type { EncodingName } from '../../src/codec/media-types.ts';
import type { ResourceObject } from '../../src/meta/object.ts';
import { field, listOf, struct } from '../../src/schema/builders.ts';
import { List, ListMeta } from '../../src/schema/meta-types.ts';
import { compileKind } from '../../src/schema/normalize/index.ts';
import { canonical, decodeAs, encodingNames } from './encodings.ts';
import { expectSame } from './expect-same.ts';
import { generateObject } from './generated-object.ts';
import { type Kind, kinds } from './kinds.ts';

/** The densities of the objects. A list of one object uses the first. */
const densities = [0.1, 0.3, 0.6];
const counts = [0, 1, densities.length];

describe.each([...kinds.values()])('a streamed list of $schema.name', (kind) => {
  let list: Kind;
  let cases: { readonly objects: readonly ResourceObject[]; readonly expected: ResourceObject }[];
  beforeAll(() => {
    list = listKind(kind);
    const generated = densities.map(
      (density, seed) => canonical(kind, generateObject(kind.schema, { seed, density })).object,
    );
    cases = counts.map((count) => {
      const objects = generated.slice(0, count);
      return { objects, expected: canonical(list, { metadata, items: objects.map(withoutType) }).object };
    });
  });

  it.each(encodingNames)('can be read as a whole in %s', (encoding) => {
    for (const { objects, expected } of cases) {
      const { object, findings } = decodeAs(encoding, list, streamed(encoding, kind, objects));
      expectSame(object, expected);
      expect(findings.texts).toEqual([]);
    }
  });
});

const metadata = { resourceVersion: '7', continue: 'abc', remainingItemCount: 3 };
const emptyList = (kind: Kind): ResourceObject => ({ kind: `${kind.kind}List`, apiVersion: kind.apiVersion, metadata });

/** Items in a list have no type of their own. */
function withoutType({ kind: _kind, apiVersion: _apiVersion, ...rest }: ResourceObject): object {
  return rest;
}

function streamed(encoding: EncodingName, kind: Kind, objects: readonly ResourceObject[]): Buffer {
  const encoder = encoders[encoding];
  const items = objects.map((object) => encoder.item(withoutType(object), kind.schema));
  const frame = encoder.openList({ value: emptyList(kind), field: 'items', count: items.length, schema: List });
  const pieces = items.flatMap((item, index) => [
    index === 0 ? frame.beforeFirst(item.length) : frame.beforeNext(item.length),
    item,
  ]);
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([frame.head(size), ...pieces, frame.tail]);
}

/** The list as a type of its own, which the server does not have. */
function listKind({ kind, apiVersion, schema: item }: Kind): Kind {
  const schema = struct(`${item.name}List`, () => ({
    metadata: field(1, ListMeta),
    items: field(2, listOf(item), { always: true }),
  }));
  const definition = { kind: `${kind}List`, apiVersion, schema };
  return { ...definition, compiled: compileKind(definition) };
}
