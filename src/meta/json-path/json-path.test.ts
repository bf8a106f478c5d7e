import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/codec/cpu-time.ts';
import { DecodeError } from '../decode-error.ts';
import { JsonPath, PathWork } from './index.ts';

const object = {
  n: 5,
  text: 'aé',
  none: null,
  'a.b': 'dotted',
  a: { b: 'nested' },
  labels: { 'example.com/team': 'blue', 'k8s-app': 'web' },
  numbers: [1, 2, 3, 4],
  big: [{ v: 9_007_199_254_740_993n }, { v: 2 }],
  empty: [],
  items: [
    { name: 'one', size: 1, ready: true, tags: ['x', 'y'] },
    { name: 'two', size: 2.5, ready: false, note: 'it (is) "so"' },
    { name: 'three', size: 3 },
  ],
};

const find = (path: string, value: unknown = object) => new JsonPath(path).find(value, new PathWork(10_000));

describe('a path', () => {
  it.each<[path: string, results: unknown[]]>([
    ['.n', [5]],
    ['$.n', [5]],
    ['@.n', [5]],
    [' .a .b', ['nested']],
    ['', [object]],
    ['.', []],
    ['.missing', []],
    ['.missing.deeper[0].still', []],
    ['.n.deeper', []],
    ['.none', [null]],
    ['.none.deeper', []],
    ['.none[0]', []],
    ['.toString', []],
    ['.a.b', ['nested']],
    ['.a\\.b', ['dotted']],
    [".['a.b']", []],
    ["['a.b']", ['nested']],
    ["['a\\.b']", ['dotted']],
    ['.labels.example\\.com/team', ['blue']],
    [".labels['example\\.com/team']", ['blue']],
    ['.labels.k8s-app', ['web']],
    ['.labels.*', ['blue', 'web']],
    ['.numbers[0]', [1]],
    ['.numbers[]', [1]],
    ['.numbers[-1]', [4]],
    ['.numbers[*]', [1, 2, 3, 4]],
    ['.numbers.*', [1, 2, 3, 4]],
    ['.numbers[:]', [1, 2, 3, 4]],
    ['.numbers[1:3]', [2, 3]],
    ['.numbers[:2]', [1, 2]],
    ['.numbers[-2:]', [3, 4]],
    ['.numbers[1:-1]', [2, 3]],
    ['.numbers[::2]', [1, 3]],
    ['.numbers[1::2]', [2, 4]],
    ['.numbers[2:2]', []],
    ['.numbers[0,2]', [1, 3]],
    ['.numbers[-1, 0:2]', [4, 1, 2]],
    ["['n', 'a.b']", [5, 'nested']],
    ['.empty[*]', []],
    ['.items[*].name', ['one', 'two', 'three']],
    ['.items[*].tags', [['x', 'y']]],
    ["['empty','numbers'][*]", []],
    ['..b', ['nested']],
    ['...b', ['nested']],
    ['.items..name', ['one', 'two', 'three']],
    ['.a..', [{ b: 'nested' }, 'nested']],
    ['.items[0].tags..', [['x', 'y'], 'x', 'y']],
    ['.text.*', ['97', '195', '169']],
    ['.n 7', [7]],
    ['.missing 7', []],
    ['.missing "text"', ['text']],
    ['.n}anything {[', [5]],
  ])('%s', (path, results) => expect(find(path)).toEqual(results));

  it.each([
    '.n[0]',
    '.a[0]',
    '.empty[0]',
    '.numbers[4]',
    '.numbers[-5]',
    '.numbers[0:5]',
    '.numbers[3:1]',
    '.numbers[::0]',
    '.numbers[::-1]',
    '.numbers[0,9]',
    '.items[*].tags[0][0]',
    '.a[?(@.b)]',
    '.none[?(@.b)]',
    '.missing word',
    '..[0]',
  ])('%s is not possible', (path) => expect(find(path)).toBeUndefined());
});

describe('a filter', () => {
  it.each<[filter: string, names: string[]]>([
    ['@.name=="two"', ['two']],
    ["@.name == 'two'", ['two']],
    ['@.name!="two"', ['one', 'three']],
    ['@.name<"three"', ['one']],
    ['@.name<="three"', ['one', 'three']],
    ['@.name>"three"', ['two']],
    ['@.name>="three"', ['two', 'three']],
    ['@.tags', ['one']],
    ['@.tags[9]', ['one']],
    ['@.missing', []],
    ['@.missing=="x"', []],
    ['@.name==@.missing', []],
    ['@.name==@.name', ['one', 'two', 'three']],
    ['@.ready==true', ['one']],
    ['@.ready!=true', ['two']],
    ['@.ready==false', ['two']],
    ['@..ready==true', ['one']],
    ['@.note=="it (is) \\"so\\""', ['two']],
    ['@.name=="\\x74wo"', ['two']],
    ['@.name=="\\164\\u0077\\U0000006f"', ['two']],
    ["'one'==@.name", ['one']],
  ])('%s', (text, names) => expect(find(`.items[?(${text})].name`)).toEqual(names));

  it.each<[path: string, results: unknown[]]>([
    ['.numbers[?(@>2)]', [3, 4]],
    ['.numbers[?(@>+2)]', [3, 4]],
    ['.numbers[?(@>-1)]', [1, 2, 3, 4]],
    ['.numbers[?(@==2)]', [2]],
    ['.big[?(@.v>9007199254740992)].v', [9_007_199_254_740_993n]],
    ['.big[?(@.v==9007199254740993)].v', [9_007_199_254_740_993n]],
    ['.big[?(@.v<9223372036854775807)].v', [9_007_199_254_740_993n, 2]],
    ['.empty[?(@.a=="b")]', []],
    ['.missing[?(@.a=="b")]', []],
    ['.numbers[0,?(@==4)]', [1, 4]],
  ])('%s', (path, results) => expect(find(path)).toEqual(results));

  it('compares floats with floats', () => {
    expect(find('[?(@>0.5)]', [0.25, 0.75])).toEqual([0.75]);
  });

  it('orders texts by their bytes', () => {
    expect(find('[?(@<"\u{10000}")]', ['\uffff'])).toEqual(['\uffff']);
  });

  it.each([
    '@.size==1',
    '@.size<2.5',
    '@.name==1',
    '@.ready<true',
    '@.tags=="x"',
    '@.name==two',
    '@.name=<"two"',
    '@.name="two"',
    '@.*=="one"',
    '"a"==@.*',
  ])('%s cannot compare every item', (text) => expect(find(`.items[?(${text})]`)).toBeUndefined());

  it('does not compare null', () => expect(find('[?(@.a=="b")]', [{ a: null }])).toBeUndefined());
});

describe('the text of a path', () => {
  it.each([
    ['.a[', 'unterminated array'],
    ['.a[1', 'unterminated array'],
    ['.a[\n]', 'unterminated array'],
    ['.a[b]', 'invalid array index b'],
    ['.a["b"]', 'invalid array index "b"'],
    ['.a[1.5]', 'invalid array index 1.5'],
    ['.a[-]', 'array index - is not a number'],
    ['.a[99999999999999999999]', 'array index 99999999999999999999 is not a number'],
    ['.a[?(@.b]', 'unterminated filter'],
    ['.a[?(@.b=="c)]', 'unterminated filter'],
    ['.a[?(@.b) ]', 'unclosed array expect ]'],
    ['.a[?(@.b==1.2.3)]', 'cannot parse number 1.2.3'],
    ['.a -', 'cannot parse number -'],
    ['.a "b', 'unterminated quoted string'],
    ['.a "\\q"', 'unquote string "\\q" error invalid syntax'],
    ['.a "\\\'"', 'unquote string "\\\'" error invalid syntax'],
    ['.a "\\ud800"', 'unquote string "\\ud800" error invalid syntax'],
    ['....a', 'invalid multiple recursive descent'],
    ['..*', "unrecognized character in action: U+002A '*'"],
    ['.a\t', 'unrecognized character in action: U+0009'],
    ['.a]', "unrecognized character in action: U+005D ']'"],
    ['.a\n', 'unclosed action'],
    ['.a\\', 'unclosed action'],
  ])('%j: %s', (path, message) => expect(() => new JsonPath(path)).toThrow(new DecodeError(message)));

  it.each([
    ['names', '.a'.repeat(200_000)],
    ['names in brackets', `['${'a.'.repeat(200_000)}']`],
    ['a long name', `.${'a\\.'.repeat(200_000)}`],
    ['spaces', `[${' '.repeat(500_000)}0${' '.repeat(500_000)},1]`],
    ['operators', `[?(${'a'.repeat(500_000)}${'='.repeat(500_000)})]`],
    ['brackets', '['.repeat(500_000)],
    ['filters', `${'[?('.repeat(200_000)}${')]'.repeat(200_000)}`],
    ['filters in quotes', `${'[?(a\\"='.repeat(100_000)}${'"x")]'.repeat(100_000)}`],
    ['quotes', `[?(${'"'.repeat(500_000)})]`],
    ['escapes', `"${'\\x41'.repeat(200_000)}"`],
  ])('is read in time that grows with its length: %s', (_what, path) => {
    const start = process.cpuUsage();
    try {
      new JsonPath(path);
    } catch (error) {
      expect(error).toBeInstanceOf(DecodeError);
    }
    expect(cpuTime(start)).toBeLessThan(20_000);
  });
});

describe('the work of a path', () => {
  const deep = (depth: number): unknown => {
    let value: unknown = 'end';
    for (let level = 0; level < depth; level++) value = { a: value };
    return value;
  };

  it('may reach a value at the bottom of a deep object', () => {
    expect(find('..a', deep(1000))).toHaveLength(1000);
    expect(new JsonPath('..none').find(deep(100_000), new PathWork(1_000_000))).toEqual([]);
  });

  it.each([
    ['descents', '..a..a..a..a', deep(200)],
    ['unions', '[0,0,0,0]'.repeat(12), deepList(12)],
    ['filters', '..a[?(@..a..a..a)]', { a: Array.from({ length: 100 }, () => deep(50)) }],
    ['bytes', '.a.*', { a: 'x'.repeat(1_000_000) }],
    ['items', '[*]', Array.from({ length: 1_000_000 }, () => 0)],
    ['steps', '.a'.repeat(200_000), {}],
  ])('is limited: %s', (_what, path, value) => {
    const work = new PathWork(10_000);
    expect(new JsonPath(path).find(value, work)).toBeUndefined();
    expect(work.isExhausted).toBe(true);
  });

  it('is shared by the paths that use it', () => {
    const work = new PathWork(50);
    const path = new JsonPath('.numbers[*]');
    expect(path.find(object, work)).toHaveLength(4);
    for (let time = 0; time < 10; time++) path.find(object, work);
    expect(path.find(object, work)).toBeUndefined();
  });
});

function deepList(depth: number): unknown {
  return depth === 0 ? 0 : [deepList(depth - 1)];
}
