import { describe, expect, it } from 'vitest';
import { indentedChunks, indentJson } from './indent-json.ts';

const values: [string, unknown][] = [
  ['an empty object', {}],
  ['an empty list', { items: [], more: {} }],
  ['nested empty ones', [[], [[]], {}, [{}]]],
  ['scalars', [1, -2.5e10, true, false, null, '']],
  ['a bare number', 17],
  ['a bare string', 'text'],
  ['brackets and separators in strings', { 'a{[,:]}': ']}", :[{', b: ['{}', '[]'] }],
  ['quotes and backslashes', { 'a"b': '\\', c: '\\"', d: ['\\\\"'] }],
  ['characters of several bytes', { 'ключ 😀': ['日本', 'é'] }],
  ['control characters', { a: '\n\t\u0000 b' }],
  ['more than one piece', Array.from({ length: 20_000 }, (_, index) => ({ index, name: `name-${index}` }))],
  ['a string of more than one piece', { before: 1, text: '"x\\'.repeat(50_000), after: [2] }],
];

describe('indentJson', () => {
  it.each(values)('indents %s as JSON.stringify does', (_name, value) => {
    const document = Buffer.from(`${JSON.stringify(value)}\n`);
    expect(indentJson(document).toString()).toBe(JSON.stringify(value, undefined, 2));
  });

  it.each([
    ['{"9":1,"10":2,"a":3,"1":4}', '{\n  "9": 1,\n  "10": 2,\n  "a": 3,\n  "1": 4\n}'],
    ['[1.0,9007199254740993,1E5]', '[\n  1.0,\n  9007199254740993,\n  1E5\n]'],
    ['{"a":"\\u003c\\/"}', '{\n  "a": "\\u003c\\/"\n}'],
    ['{"a":1,"a":2,"__proto__":3}', '{\n  "a": 1,\n  "a": 2,\n  "__proto__": 3\n}'],
    [' { "a" :\t[ 1 ,\n2 ] } ', '{\n  "a": [\n    1,\n    2\n  ]\n}'],
  ])('keeps order, digits and escapes of %j', (document, text) => {
    expect(indentJson(Buffer.from(document)).toString()).toBe(text);
  });
});

describe('indentedChunks', () => {
  it.each(values.slice(0, -2))('indents %s when it is split anywhere', (_name, value) => {
    const document = Buffer.from(JSON.stringify(value));
    const whole = JSON.stringify(value, undefined, 2);
    for (let cut = 0; cut <= document.length; cut++) {
      const chunks = [document.subarray(0, cut), document.subarray(cut)];
      expect(Buffer.concat([...indentedChunks(chunks)]).toString()).toBe(whole);
    }
    const bytes = Array.from(document, (byte) => Buffer.of(byte));
    expect(Buffer.concat([...indentedChunks(bytes)]).toString()).toBe(whole);
  });

  it('limits the chunk size if indentation makes the document much larger', () => {
    const document = Buffer.from(`${'['.repeat(60)}${'1,'.repeat(50_000)}1${']'.repeat(60)}`);
    let size = 0;
    let largest = 0;
    for (const piece of indentedChunks([document])) {
      size += piece.length;
      largest = Math.max(largest, piece.length);
    }
    expect(size).toBeGreaterThan(50_000 * 120);
    expect(largest).toBeLessThanOrEqual(64 * 1024);
  });

  it('reads only as much input as the next chunk needs', () => {
    let taken = 0;
    function* endless(): Generator<Buffer> {
      yield Buffer.from('[');
      for (;;) {
        taken++;
        yield Buffer.from(`${JSON.stringify('x'.repeat(10_000))},`);
      }
    }
    const pieces = indentedChunks(endless());
    pieces.next();
    expect(taken).toBeLessThan(10);
    pieces.next();
    expect(taken).toBeLessThan(20);
  });
});

it('keeps deeply nested values on one line', () => {
  const levels = 3000;
  const document = Buffer.from(`${'{"a":'.repeat(levels)}[${'1,'.repeat(5000)}1]${'}'.repeat(levels)}`);
  const indented = indentJson(document);
  expect(indented.length).toBeLessThan(2 * document.length);
  expect(JSON.parse(indented.toString())).toEqual(JSON.parse(document.toString()));
});
