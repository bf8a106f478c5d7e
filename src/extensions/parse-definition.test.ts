import { expect, it } from 'vitest';
import type { ResourceObject } from '../meta/object.ts';
import { specOf } from '../resources/apiextensions/definition-shape.ts';
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
  expect(identities(one!)[0]).toBeInstanceOf(Buffer);
});
