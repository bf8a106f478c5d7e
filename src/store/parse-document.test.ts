import { describe, expect, it } from 'vitest';
import { decodeJson, encodeJson } from '../codec/json/index.ts';
import { parseDocument } from './parse-document.ts';

const fieldsV1 = { 'f:spec': { 'f:ports': { '.': {}, 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } } } };
const entry = { manager: 'kubectl', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 };

function documentOf(managedFields: unknown, rest: object = {}): string {
  const metadata = { name: 'x', uid: 'u-1', annotations: { note: '"managedFields":[{"fieldsV1":{}}]' }, managedFields };
  return `${encodeJson({ kind: 'Service', apiVersion: 'v1', metadata, ...rest })}\n`;
}

const nested = { template: { metadata: { managedFields: [entry] } } };

describe('a stored document', () => {
  it.each([
    ['no entries', documentOf(undefined, { spec: {} })],
    ['an empty list of entries', documentOf([])],
    ['one entry', documentOf([entry], { spec: { ports: [{ port: 80 }] } })],
    ['nothing behind its entries', documentOf([entry])],
    ['several entries', documentOf([entry, { ...entry, subresource: 'status', fieldsV1: { 'f:status': {} } }, entry])],
    ['entries without a set', documentOf([{ manager: 'a' }, entry, {}, entry])],
    ['an empty set', documentOf([{ ...entry, fieldsV1: {} }])],
    ['a set that is null', documentOf([{ ...entry, fieldsV1: null }, entry])],
    ['a set that is none', documentOf([entry, { ...entry, fieldsV1: 'f:spec' }])],
    ['an entry that is none', documentOf([entry, 'fieldsV1', null])],
    ['entries that are no list', documentOf({ fieldsV1 })],
    ['brackets in the names of a set', documentOf([{ ...entry, fieldsV1: { 'k:{"a":"}]},{["}': {}, 'f:\\': {} } }])],
    ['names in other alphabets', documentOf([{ ...entry, fieldsV1: { 'f:ключ': {}, 'f:🚢': { 'v:"ü"': {} } } }])],
    ['names that were escaped for web pages', documentOf([{ ...entry, fieldsV1: { 'f:<&>': {} } }])],
    ['entries in its spec', documentOf(undefined, { spec: nested })],
    ['entries in both', documentOf([entry], { spec: nested })],
    ['large integers', documentOf([entry], { spec: { amount: 2n ** 60n } })],
    ['blanks in it', documentOf([entry]).replaceAll(',', ', ')],
    ['line breaks in it', JSON.stringify(JSON.parse(documentOf([entry])), undefined, 2)],
    ['no metadata', '{"kind":"Service"}\n'],
  ])('is parsed correctly if it has %s', (_what, text) => {
    const document = Buffer.from(text);
    const expected = decodeJson(document).value;
    // Parses again, with the field sets cached.
    for (const read of [parseDocument(document), parseDocument(document)]) {
      expect(read).toEqual(expected);
      expect(encodeJson(read)).toBe(encodeJson(expected));
    }
  });

  it('shares only equal field sets with other documents', () => {
    const [left, right] = [documentOf([entry]), documentOf([{ ...entry, manager: 'other' }, entry])].map((text) => {
      return parseDocument(Buffer.from(text)).metadata.managedFields as { manager: string; fieldsV1: unknown }[];
    });
    expect(right![0]!.fieldsV1).toBe(left![0]!.fieldsV1);
    expect(right![1]!.fieldsV1).toBe(left![0]!.fieldsV1);
    left![0]!.manager = 'changed';
    expect(right!.map(({ manager }) => manager)).toEqual(['other', 'kubectl']);
  });

  it('is parsed correctly with any number of field sets', () => {
    const documents = Array.from({ length: 1200 }, (_, number) => {
      return Buffer.from(documentOf([{ ...entry, fieldsV1: { [`f:${String(number).padEnd(1000, 'x')}`]: {} } }]));
    });
    for (const document of [...documents, ...documents.toReversed()]) {
      expect(parseDocument(document)).toEqual(decodeJson(document).value);
    }
  });

  it('is parsed correctly with a very large field set', () => {
    const large = Object.fromEntries(Array.from({ length: 5000 }, (_, number) => [`k:{"name":"${number}"}`, {}]));
    const document = Buffer.from(documentOf([{ ...entry, fieldsV1: large }, entry]));
    expect(parseDocument(document)).toEqual(decodeJson(document).value);
  });
});
