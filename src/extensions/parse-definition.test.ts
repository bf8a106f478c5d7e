import { expect, it } from 'vitest';
import type { ResourceObject } from '../meta/object.ts';
import { specOf } from '../resources/apiextensions/definition-parts.ts';
import { parseDefinition, schemaIdentity } from './parse-definition.ts';

const schema = (text: string) => ({ openAPIV3Schema: { type: 'object', description: text } });

function definition(versions: unknown, rest: object = {}): ResourceObject {
  const metadata = { name: 'lamps.ex.io', annotations: { 'a"spec"': '{"versions":[{"schema":' } };
  return { kind: 'CustomResourceDefinition', metadata, spec: { group: 'ex.io', versions, ...rest }, status: { a: 1 } };
}

const encoded = (object: ResourceObject): Buffer => Buffer.from(`${JSON.stringify(object)}\n`);
const identities = (object: ResourceObject) => (specOf(object).versions ?? []).map(schemaIdentity);

it.each<[string, ResourceObject]>([
  ['one version', definition([{ name: 'v1', served: true, schema: schema('a'), subresources: { status: {} } }])],
  [
    'several versions',
    definition([
      { name: 'v1', schema: schema('[{"') },
      { name: 'v2', schema: schema('é\\"'), x: [1] },
    ]),
  ],
  ['a version without a schema', definition([{ name: 'v1' }, { name: 'v2', schema: schema('b') }])],
  [
    'a version with an empty schema',
    definition([
      { name: 'v1', schema: {} },
      { name: 'v2', schema: schema('b') },
    ]),
  ],
  ['no versions', definition([])],
  ['null for versions', definition(null)],
  ['no spec', { kind: 'CustomResourceDefinition', metadata: { name: 'x' } }],
])('parses a definition with %s like any other object', (_what, object) => {
  const parsed = parseDefinition(encoded(object));
  expect(parsed).toEqual(object);
  expect(JSON.stringify(parsed)).toBe(JSON.stringify(object));
});

it('parses another spelling, too', () => {
  const object = definition([{ name: 'v1', schema: schema('a') }]);
  expect(parseDefinition(Buffer.from(JSON.stringify(object, null, 1)))).toEqual(object);
});

it('compares schemas by their text, without parsing them', () => {
  const [one, two] = ['a', 'b'].map((text) => parseDefinition(encoded(definition([{ schema: schema(text) }]))));
  expect(identities(one!)).toEqual(identities(parseDefinition(encoded(definition([{ schema: schema('a') }])))));
  expect(identities(one!)).not.toEqual(identities(two!));
  expect(identities(one!)[0]).toEqual({ bytes: expect.any(Buffer) });
});

const two = [{ name: 'v1', schema: schema('a') }, { name: 'v2' }, { name: 'v3', schema: schema('é"') }];
const changedSpec = definition(two, { scope: 'Cluster' });
const noSpec: ResourceObject = { kind: 'CustomResourceDefinition', metadata: { name: 'x' } };
const longer = {
  ...definition(two),
  metadata: { name: 'lamps.ex.io', labels: { 'more"': 'text' } },
  status: { b: [2] },
};

it.each<[string, { before: ResourceObject; after: ResourceObject; isShared: boolean }]>([
  ['an unchanged spec', { before: definition(two), after: longer, isShared: true }],
  ['an unchanged spec at an earlier place', { before: longer, after: definition(two), isShared: true }],
  ['a changed spec', { before: definition(two), after: changedSpec, isShared: false }],
  ['a shorter spec', { before: changedSpec, after: definition([]), isShared: false }],
  ['a longer spec', { before: definition(two), after: definition([...two, { name: 'v4' }]), isShared: false }],
  ['no spec', { before: definition(two), after: noSpec, isShared: false }],
  ['a new spec', { before: noSpec, after: definition(two), isShared: false }],
])('parses %s after a change', (_what, { before, after, isShared }) => {
  const documents = [encoded(before), encoded(after)] as const;
  const known = parseDefinition(documents[0]);
  const parsed = parseDefinition(documents[1], documents[0]);
  expect(parsed).toEqual(after);
  expect(JSON.stringify(parsed)).toBe(JSON.stringify(after));
  expect(parsed.spec !== undefined && parsed.spec === known.spec).toBe(isShared);
  expect(known).toEqual(before);
});

it('reads the schemas of a shared spec from the newest document', () => {
  const documents = [definition(two), longer, definition(two)].map(encoded);
  parseDefinition(documents[0]!);
  parseDefinition(documents[1]!, documents[0]);
  const parsed = parseDefinition(documents[2]!, documents[1]);
  documents[0]!.fill(0);
  documents[1]!.fill(0);
  expect(parsed).toEqual(definition(two));
});

it('does not share the spec of a document that was not parsed', () => {
  expect(parseDefinition(encoded(longer), encoded(definition(two)))).toEqual(longer);
});
