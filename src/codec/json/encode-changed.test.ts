import { describe, expect, it } from 'vitest';
import { encodeChanged } from './encode-changed.ts';
import { encodeJson } from './encode-json.ts';

const object = {
  kind: 'Widget',
  metadata: { name: 'a', labels: { 'a,b': '"x"}' } },
  spec: { text: 'a "quoted" \\ <b> é', list: [1, { deep: [] }], big: 9007199254740993n },
  empty: {},
  items: ['{', ']'],
  status: null,
};

const parsed = { object, document: Buffer.from(`${encodeJson(object)}\n`) };

describe('encodeChanged', () => {
  it.each<[string, Record<string, unknown>]>([
    ['the object itself', object],
    ['a changed member', { ...object, metadata: { name: 'b' } }],
    ['an equal member that is not the same', { ...object, spec: { ...object.spec } }],
    ['an added member', { ...object, more: { 'a<b': [1] } }],
    ['members in another order', { status: 1, spec: object.spec, kind: 'Other', items: object.items }],
    ['a member at another name', { spec: object.metadata }],
    ['a member that is missing in the encoded object', { kind: 'Widget', data: object.spec }],
    ['a removed member', { ...object, spec: undefined }],
    ['only a copy', { spec: object.spec }],
    ['an empty object', {}],
    ['nothing but undefined', { a: undefined }],
  ])('encodes %s as encodeJson does', (_, changed) => {
    expect(encodeChanged(changed, parsed).toString()).toBe(encodeJson(changed));
  });

  it('copies what is the same', () => {
    const document = Buffer.from('{"spec":{"from":"the document"},"status":{}}');
    expect(encodeChanged({ spec: object.spec, status: {} }, { object, document }).toString()).toBe(
      '{"spec":{"from":"the document"},"status":{}}',
    );
  });

  it('encodes what it does not find in a document of another form', () => {
    const document = Buffer.from('{ "spec": {} }');
    expect(encodeChanged({ spec: object.empty }, { object: { spec: object.empty }, document }).toString()).toBe(
      '{"spec":{}}',
    );
  });
});
