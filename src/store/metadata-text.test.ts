import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeJson } from '../codec/json/index.ts';
import { metadataText } from './metadata-text.ts';

const labelsText = (document: Buffer) => metadataText(document, Buffer.from('labels'));
const textOf = (document: unknown) => labelsText(Buffer.from(`${encodeJson(document)}\n`));
const hostile = [
  '"',
  '\\',
  '\\"',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '","labels":{"a":"b"}',
  '"metadata":{"labels":{"a":"b"}}',
  'metadata',
  'labels',
  'x"labels',
  '\\u0022labels\\u0022',
  '🚢',
  'é',
  '\u2028',
  '<&>',
  '\0',
  '__proto__',
];

describe('the labels of a document', () => {
  const labels = { app: 'shop', 'example.com/tier': '' };

  it.each<[string, object]>([
    [
      'behind metadata of every kind',
      { metadata: { name: 'x', generation: 1, finalizers: [], labels, annotations: {} } },
    ],
    ['first of all', { metadata: { labels }, kind: 'Pod' }],
    ['last of all', { kind: 'Pod', metadata: { a: null, b: true, c: -1.5e3, d: [[{}], []], e: { f: {} }, labels } }],
    [
      'beside those of a template',
      { spec: { template: { metadata: { labels: { not: 'these' } } } }, metadata: { labels } },
    ],
    [
      'beside names that are longer or shorter',
      { metadata: { label: {}, labelsX: { a: 'b' }, labels }, metadatas: {} },
    ],
    ...hostile.map((text): [string, object] => [
      `beside the text ${JSON.stringify(text)}`,
      {
        kind: text,
        status: { [text]: text, labels: { not: 'these' } },
        metadata: { name: text, annotations: { [text]: text, labels: text }, list: [text, { [text]: {} }], labels },
      },
    ]),
  ])('are found %s', (_what, document) => {
    expect(textOf(document)).toBe(JSON.stringify(labels));
  });

  it.each([
    ['no labels', { metadata: { name: 'x', annotations: { labels: '{"a":"b"}' } }, labels: { a: 'b' } }],
    [
      'no labels, but a template',
      { metadata: { name: 'x' }, spec: { template: { metadata: { labels: { a: 'b' } } } } },
    ],
    ['no metadata to speak of', { metadata: {} }],
  ])('are none in a document with %s', (_what, document) => {
    expect(textOf(document)).toBe('');
  });

  it.each([
    ['blanks', '{ "metadata":{"labels":{"a":"b"}}}'],
    ['blanks before a value', '{"metadata": {"labels":{"a":"b"}}}'],
    ['blanks in the metadata', '{"metadata":{"name":"x", "labels":{"a":"b"}}}'],
    ['an escaped name', '{"metadata":{"la\\u0062els":{"a":"b"}}}'],
    ['no metadata', '{"kind":"Pod"}'],
    ['metadata that is no object', '{"metadata":[{"labels":{}}]}'],
    ['no object', '[]'],
    ['nothing', ''],
    ['an end in the metadata', '{"metadata":{"name":"x'],
    ['an end in the labels', '{"metadata":{"labels":{"a":"b"'],
    ['an end after a backslash', '{"metadata":{"labels":{"a":"\\'],
  ])('are left to the parser in a document with %s', (_what, text) => {
    expect(labelsText(Buffer.from(text))).toBeUndefined();
  });

  it('equal those that a parser finds', () => {
    const text = fc.oneof(
      fc.constantFrom(...hostile),
      fc.string({ unit: fc.constantFrom(...'"\\{}[]:,l🚢é\n'), maxLength: 6 }),
    );
    const name = fc.oneof(fc.constantFrom('name', 'uid', 'annotations', 'metadata', 'spec', 'label'), text);
    const value = fc.oneof(text, fc.jsonValue({ maxDepth: 2 }), fc.dictionary(name, text, { maxKeys: 3 }));
    const metadata = fc.tuple(
      fc.dictionary(name, value, { maxKeys: 4 }),
      fc.option(fc.dictionary(text, text, { maxKeys: 4 })),
      fc.dictionary(name, value, { maxKeys: 4 }),
    );
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 4 }), metadata, (rest, [before, present, after]) => {
        const document = {
          ...rest,
          metadata: { ...before, ...(present && { labels: present }), ...after },
        };
        const bytes = Buffer.from(`${encodeJson(document)}\n`);
        const found = labelsText(bytes);
        // Names with escapes are left to the parser.
        if (found === undefined) expect(bytes.includes('\\')).toBe(true);
        else
          expect((found === '' ? undefined : JSON.parse(found)) ?? {}).toEqual(
            JSON.parse(bytes.toString()).metadata.labels ?? {},
          );
      }),
    );
  });
});
