import { describe, expect, it, test } from 'vitest';
import { DecodeError } from '../../meta/decode-error.ts';
import { decodeYaml } from './decode-yaml.ts';

const decode = (text: string) => decodeYaml(Buffer.from(text));
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('scalars', () => {
  test.each<[string, unknown]>([
    ...['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON', 'true', 'True', 'TRUE'].map((text): [string, unknown] => [
      text,
      true,
    ]),
    ...['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF', 'false', 'False', 'FALSE'].map((text): [string, unknown] => [
      text,
      false,
    ]),
    ...['~', 'null', 'Null', 'NULL', '', '# nothing'].map((text): [string, unknown] => [text, null]),
    ['yEs', 'yEs'],
    ['nULL', 'nULL'],
    ['12', 12],
    ['+12', 12],
    ['-12', -12],
    ['1_000', 1000],
    ['0x1F', 31],
    ['-0x10', -16],
    ['0b101', 5],
    ['-0b101', -5],
    ['0777', 511],
    ['0o777', 511],
    ['08', 8],
    ['0o8', '0o8'],
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    ['18446744073709551615', 2 ** 64],
    ['18446744073709551616', 2 ** 64],
    ['-9223372036854775809', -(2 ** 63)],
    ['0x10000000000000000', '0x10000000000000000'],
    ['1.0', 1],
    ['1.5', 1.5],
    ['1.', 1],
    ['.5', 0.5],
    ['1e3', 1000],
    ['1e18', 1000000000000000000n],
    ['1e400', '1e400'],
    ['1.2.3', '1.2.3'],
    ['1:30', '1:30'],
    ['2001-02-03', '2001-02-03'],
    ['2001-02-03T04:05:06Z', '2001-02-03T04:05:06Z'],
    ['"yes"', 'yes'],
    ["'12'", '12'],
    ['!!str 12', '12'],
    ['!!int "12"', 12],
    ['!!float 3', 3],
    ['! 12', 12],
    ['!own 12', '12'],
    ['!<tag:yaml.org,2002:str> 12', '12'],
    ['!!binary aGVsbG8=', 'hello'],
    ['"\\x41\\u00e9\\U0001F600\\n\\e\\_\\L"', 'Aé😀\n\u001b\u00a0\u2028'],
    ["'it''s'", "it's"],
    ['a:b', 'a:b'],
    ['a#b', 'a#b'],
    ['a\n b\n\n c', 'a b\nc'],
    ['"a\n  b\n\n  c\\\n  d"', 'a b\ncd'],
    ["'a\u2028   b'", 'a\u2028b'],
  ])('%j', (text, value) => {
    expect(decode(`v: ${text}\n`).value).toEqual({ v: value });
  });
});

describe('documents', () => {
  test.each<[string, unknown]>([
    ['', null],
    ['\n# only a comment\n', null],
    ['---\n', null],
    ['...\n', null],
    ['---\n---\n', null],
    ['a: b\n---\n', { a: 'b' }],
    ['---\na: b\n...\n', { a: 'b' }],
    ['a: b\n...\n---\n# nothing\n...\n', { a: 'b' }],
    ['{"a": "b"}\n---\n', { a: 'b' }],
    ['%YAML 1.1\n%TAG !e! tag:example.com,2000:\n---\na: !e!x 1\n', { a: '1' }],
    ['\ufeffa: b', { a: 'b' }],
    ['a: b\r\nc: |\r\n  d\r\n  e\r\n', { a: 'b', c: 'd\ne\n' }],
    ['a:\n- b\n- - c\n  - d\n-\n  e: f\n  g:\n  - h\n', { a: ['b', ['c', 'd'], { e: 'f', g: ['h'] }] }],
    [
      'spec:\n  args: [\n    "a", b c,\n  ]\n  x: {\n"y": 1, z\n}\n',
      { spec: { args: ['a', 'b c'], x: { y: 1, z: null } } },
    ],
    ['[a: 1, ? b : 2, {c}, http://d/?e]', undefined],
    ['[a: 1, ? b : 2, {c}]', [{ a: 1 }, { b: 2 }, { c: null }]],
    ['? a\n: b\n? c\n', { a: 'b', c: null }],
    ['? - a\n: b\n', undefined],
    ['a:   # comment\n  b: c # comment\n', { a: { b: 'c' } }],
    ['a:\tb', { a: 'b' }],
    [
      'a: |-\n  x\n   y\n\nb: |+\n  x\n\nc: |2\n   x\nd: >\n  x\n  y\n\n  z\n   w\n  v\n',
      {
        a: 'x\n y',
        b: 'x\n\n',
        c: ' x\n',
        d: 'x y\nz\n w\nv\n',
      },
    ],
    ['- |\n x\n- >-\n', ['x\n', '']],
    ['{"a":{"c":1,"b":[true,null]}}', { a: { b: [true, null], c: 1 } }],
    ['{"a":1.0}', { a: 1 }],
  ])('%j', (text, value) => {
    if (value === undefined) expect(() => decode(text)).toThrow(DecodeError);
    else expect(decode(text).value).toEqual(value);
  });

  it('sorts keys, as the conversion to JSON does', () => {
    for (const text of ['b: {d: 1, c: 2}\na: 3\n', '{"b":{"d":1,"c":2},"a":3}']) {
      expect(JSON.stringify(decode(text).value)).toBe('{"a":3,"b":{"c":2,"d":1}}');
    }
  });

  it('decodes __proto__ as an ordinary key', () => {
    for (const text of ['__proto__: {x: 1}', '{"__proto__":{"x":1}}']) {
      const value = decode(text).value as object;
      expect(Object.keys(value)).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
  });

  it('converts keys to strings', () => {
    const { value } = decode('yes: 1\nn: 2\n3: 4\n1.5: 5\n1e6: 6\n0x10: 7\n.inf: 8\n"3.0": 9\n');
    expect(value).toEqual({ true: 1, false: 2, 3: 4, 1.5: 5, '1e+06': 6, 16: 7, '.inf': 8, '3.0': 9 });
  });
});

describe('duplicate keys', () => {
  test.each([
    [
      'a: 1\nb:\n  c: 1\n  c: 2\na: 3\n',
      { a: 3, b: { c: 2 } },
      ['line 4: key "c" already set in map', 'line 5: key "a" already set in map'],
    ],
    ['n: 1\nn: 2\n', { false: 2 }, ['line 2: key false already set in map']],
    ['1: a\n"1": b\n1: c\n', { 1: 'c' }, ['line 3: key 1 already set in map']],
    ['a: 1\na:\n  b: 2\n', { a: { b: 2 } }, ['line 3: key "a" already set in map']],
    ['a: &x {b: 1}\na: 2\na: *x\n', { a: { b: 1 } }, [2, 3].map((line) => `line ${line}: key "a" already set in map`)],
    ['a: 1\na: |\n  b\n', { a: 'b\n' }, ['line 2: key "a" already set in map']],
    ['{"a":1,\n"a":2}', { a: 2 }, ['line 2: key "a" already set in map']],
  ])('%j', (text, value, duplicates) => {
    expect(decode(text)).toMatchObject({ value, duplicates });
  });

  test.each([
    ['b: 5\na: 1\na: {x: 2}\na: 3\n', [{ a: 1 }, { a: { x: 2 } }]],
    ['{"a":1,"a":2}', [{ a: 1 }]],
    ['x: &x {a: 1}\n<<: *x\na: 2\na: 3\n', undefined],
    ['a: 1\n', undefined],
  ])('keeps the earlier values of %j', (text, earlier) => {
    const { value, source } = decode(text);
    expect(source?.superseded.get(value as object)?.get('a')).toEqual(earlier);
  });
});

describe('anchors', () => {
  test.each<[string, unknown]>([
    ['a: &x {b: 1}\nc: *x\n', { a: { b: 1 }, c: { b: 1 } }],
    ['a: &x 1\nb: &x 2\nc: *x\n', { a: 1, b: 2, c: 2 }],
    ['a: &x [1]\nb: [*x, *x]\n', { a: [1], b: [[1], [1]] }],
    ['a: &x k\n*x : v\n', { a: 'k', k: 'v' }],
    ['a: &x 1e6\n*x : v\n', { a: 1_000_000, '1e+06': 'v' }],
    ['a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  e: 3\n', { a: { b: 1, c: 2 }, d: { b: 1, c: 2, e: 3 } }],
    ['a: &x {b: 1}\nc: &y {b: 2, d: 3}\ne: {<<: [*x, *y]}\n', { a: { b: 1 }, c: { b: 2, d: 3 }, e: { b: 1, d: 3 } }],
    ['<<: {a: 1}\nb: {"<<": 2}\n', { a: 1, b: { '<<': 2 } }],
  ])('%j', (text, value) => {
    expect(decode(text).value).toEqual(value);
  });

  it('copies the value for every alias', () => {
    const { a, b } = decode('a: &x {c: 1}\nb: *x\n').value as { a: object; b: object };
    expect(b).not.toBe(a);
  });

  it('rejects excessive expansion of aliases', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 10; level++) {
      lines.push(`a${level}: &a${level} [${Array(9).fill(`*a${level - 1}`)}]`);
    }
    expect(() => decode(lines.join('\n'))).toThrow('yaml: document contains excessive aliasing');
    expect(() => decode(`a: &a ${'x'.repeat(1e6)}\nb: [${'*a,'.repeat(1000)}]`)).toThrow('excessive aliasing');
  });
});

describe('errors', () => {
  test.each([
    ['a: b: c', 'yaml: mapping values are not allowed in this context'],
    ['x: y\na: b: c', 'yaml: line 2: mapping values are not allowed in this context'],
    ['a:\n\tb: c\n', 'yaml: line 2: found character that cannot start any token'],
    ['a: @b', 'yaml: found character that cannot start any token'],
    ['a: 1\nfoo\nb: 2\n', "yaml: line 3: could not find expected ':'"],
    ['a: - b', 'yaml: block sequence entries are not allowed in this context'],
    ['a:\n    b: 1\n   c: 2\n', 'yaml: line 2: did not find expected key'],
    ['a: "b" c\n', 'yaml: did not find expected key'],
    ['- a\n- b\nc: d\n', "yaml: line 2: did not find expected '-' indicator"],
    ['a: [1, 2\n', "yaml: line 1: did not find expected ',' or ']'"],
    ['a: {b: 1\nc: 2\n', "yaml: line 1: did not find expected ',' or '}'"],
    ['a: [,]', 'yaml: did not find expected node content'],
    ['a: "b', 'yaml: found unexpected end of stream'],
    ['a: "b\n---\n', 'yaml: line 2: found unexpected document indicator'],
    ['a: "\\q"', 'yaml: found unknown escape character'],
    ['a: "\\xzz"', 'yaml: did not find expected hexdecimal number'],
    ['a: "\\ud800"', 'yaml: found invalid Unicode character escape code'],
    ['a: |0\n', 'yaml: found an indentation indicator equal to 0'],
    ['a: |x\n', 'yaml: did not find expected comment or line break'],
    ['a: &', 'yaml: did not find expected alphabetic or numeric character'],
    ['a: !x!y z', 'yaml: found undefined tag handle'],
    ['---\na: b\n---\nc: d\n', 'yaml: line 3: found content after the first document'],
    ['a: b\n...\nc: d', 'yaml: line 2: found content after the first document'],
    ['...\na: b', 'yaml: line 1: found content after the first document'],
    ['---\n---\na: b', 'yaml: line 2: found content after the first document'],
    ['---\n---\n"text"', 'yaml: line 2: found content after the first document'],
    ['{a: 1}trailing', 'yaml: found content after the first document'],
    ['{"a": 1} {"b": 2}', 'yaml: found content after the first document'],
    ['{"a": 1}\n---\n{"b": 2}', 'yaml: line 2: found content after the first document'],
    ['a: b\n...\n%YAML 1.1\n---\nc: d', 'yaml: line 2: found content after the first document'],
    ['%YAML 2.0\n---\n', 'yaml: found incompatible YAML document'],
    ['%FOO\n---\n', 'yaml: found unknown directive name'],
    ['a: *b', "yaml: unknown anchor 'b' referenced"],
    ['a: *b\nc: d: e', "yaml: unknown anchor 'b' referenced"],
    ['a: &b [*b]', "yaml: anchor 'b' value contains itself"],
    ['a: {<<: 1}', 'yaml: map merge requires map or sequence of maps as the value'],
    ['a: {{ .Values.b }}', 'yaml: invalid map key: map[interface {}]interface {}{".Values.b":interface {}(nil)}'],
    ['~: a', 'unsupported map key of type: %!s(<nil>), key: <nil>'],
    ['a: .inf', 'json: unsupported value: +Inf'],
    ['- .nan', 'json: unsupported value: NaN'],
    ['a: !!int b', 'yaml: cannot decode !!str `b` as a !!int'],
    ['a: !!binary "?"', 'yaml: !!binary value contains invalid base64 data'],
    ['a: \u0001', 'yaml: control characters are not allowed'],
    ['a: \u007f', 'yaml: control characters are not allowed'],
    ['{"a":"\u007f"}', 'yaml: control characters are not allowed'],
    ['{"a":"\u0001"}', 'yaml: control characters are not allowed'],
    ['{"a":"\u0080"}', 'yaml: control characters are not allowed'],
    [nested(10_001), 'yaml: exceeded max depth of 10000'],
    ['- '.repeat(100_000), 'yaml: exceeded max depth of 10000'],
  ])('%j', (text, message) => {
    expect(() => decode(text)).toThrow(new DecodeError(message));
  });

  test.each([
    [[0xff], 'yaml: invalid leading UTF-8 octet'],
    [[0x61, 0xc3], 'yaml: incomplete UTF-8 octet sequence'],
    [[0xc3, 0x61], 'yaml: invalid trailing UTF-8 octet'],
    [[0xc0, 0x80], 'yaml: invalid length of a UTF-8 sequence'],
    [[0xed, 0xa0, 0x80], 'yaml: invalid Unicode character'],
  ])('bytes %j', (bytes, message) => {
    expect(() => decodeYaml(Buffer.from(bytes))).toThrow(new DecodeError(message));
  });

  it('accepts documents up to the maximum depth', () => {
    expect(() => decode(nested(10_000))).not.toThrow();
    expect(() => decode(`${'- '.repeat(9999)}a`)).not.toThrow();
  });
});

it.each([0, 1, 99, 100, 101, 300])('sorts the keys of JSON inside %i objects', (depth) => {
  const wrap = (inner: string): string => `${'{"b":[0,'.repeat(depth)}${inner}${']}'.repeat(depth)}`;
  const { value } = decode(wrap('{"z":{"__proto__":{"y":1,"x":2}},"a":3}'));
  expect(JSON.stringify(value)).toBe(wrap('{"a":3,"z":{"__proto__":{"x":2,"y":1}}}'));
});
