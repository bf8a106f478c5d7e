import { expect, it } from 'vitest';
import { encodeJson } from '../../codec/json/index.ts';
import { MetadataRepresentation } from './metadata-representation.ts';

const representation = new MetadataRepresentation({
  apiVersion: 'meta.k8s.io/v1',
  type: { group: '', kind: 'Thing' },
  listsOnly: false,
});
const annotations = { brackets: '}]{["', backslash: '\\', 'a"b': '\u2028<&>ü', '{"metadata":': '"' };

it.each([
  ['a plain object', { metadata: { name: 'a' }, spec: { metadata: { name: 'b' } } }],
  ['metadata that comes late', { spec: { x: ['{"metadata":{}}', { metadata: {} }] }, metadata: { name: 'a' } }],
  ['nasty texts', { metadata: { name: 'a', annotations, finalizers: ['}', '"metadata":{'] } }],
  ['empty metadata', { metadata: {} }],
])('cuts the same JSON as it would encode: %s', (_what, rest) => {
  const object = { kind: 'Thing', apiVersion: 'v1', ...rest };
  const cut = representation.cut(Buffer.from(`${encodeJson(object)}\n`));
  expect(String(cut)).toBe(`${encodeJson(representation.event(object))}\n`);
});

it('returns undefined when it finds no metadata', () => {
  expect(representation.cut(Buffer.from('{"kind":"Thing"}\n'))).toBeUndefined();
  expect(representation.cut(Buffer.from('{ "metadata": {} }\n'))).toBeUndefined();
});
