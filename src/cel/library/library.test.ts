import { describe, expect, it } from 'vitest';
import { CelError } from '../cel-error.ts';
import { compileExpression } from '../compile-expression.ts';

const evaluated = (text: string): unknown => compileExpression(text, { variables: {} }).evaluate({}).value;

function table(name: string, cases: readonly (readonly [string, unknown])[]): void {
  describe(name, () => {
    it.each(cases)('%s', (text, expected) => {
      expect(evaluated(text)).toEqual(expected);
    });
  });
}

function failures(name: string, cases: readonly string[]): void {
  it.each(cases)(`${name}: %s`, (text) => {
    expect(() => evaluated(text)).toThrow(CelError);
  });
}

table('strings', [
  ["'a😀c'.charAt(1)", '😀'],
  ["'abc'.charAt(3)", ''],
  ["'a😀cc'.indexOf('c')", 2n],
  ["'abc'.indexOf('')", 0n],
  ["'a😀cc'.indexOf('c', 3)", 3n],
  ["'abc'.indexOf('x')", -1n],
  ["'a😀cc'.lastIndexOf('c')", 3n],
  ["'a😀cc'.lastIndexOf('c', 2)", 2n],
  ["'abc'.lastIndexOf('')", 3n],
  ["'abc'.indexOf('c', 3)", -1n],
  ["''.indexOf('c')", -1n],
  ["'abc'.indexOf('', 9)", 9n],
  ["'abc'.lastIndexOf('c', 3)", -1n],
  ["'abc'.lastIndexOf('c', 2)", 2n],
  ["'abc'.lastIndexOf('', 9)", 9n],
  ["''.lastIndexOf('a')", -1n],
  ["'a'.lastIndexOf('abc')", -1n],
  ["'TacoCÆt Xii'.lowerAscii()", 'tacocÆt xii'],
  ["'tacocæt K'.upperAscii()", 'TACOCæT K'],
  ["'a😀c'.substring(1)", '😀c'],
  ["'a😀c'.substring(1, 2)", '😀'],
  ["'abc'.substring(3)", ''],
  ["' \\u0085 a b \\u2003'.trim()", 'a b'],
  ["'\\ufeffa'.trim()", '\ufeffa'],
  ["'a,b,c'.split(',')", ['a', 'b', 'c']],
  ["'a,b,c'.split(',', 2)", ['a', 'b,c']],
  ["'a,b,c'.split(',', 0)", []],
  ["'a,b,c'.split(',', 1)", ['a,b,c']],
  ["'a😀'.split('')", ['a', '😀']],
  ["'hello hello'.replace('he', 'we')", 'wello wello'],
  ["'hello hello'.replace('he', 'we', 1)", 'wello hello'],
  ["'hello hello'.replace('he', 'we', 0)", 'hello hello'],
  ["'ab'.replace('', '_')", '_a_b_'],
  ["'ab'.replace('', '_', 2)", '_a_b'],
  ["['a', 'b'].join('-')", 'a-b'],
  ["[].join('-')", ''],
  ["strings.quote('a\"b\\n')", '"a\\"b\\n"'],
  ["strings.quote('\\\\ \\x01 \\u2028 \\a\\b\\f\\r\\t\\v')", '"\\\\ \x01 \u2028 \\a\\b\\f\\r\\t\\v"'],
  ["'abc'.contains('b') && 'abc'.startsWith('a') && 'abc'.endsWith('c')", true],
  ["size('a😀')", 2n],
]);
failures('strings', [
  "'abc'.charAt(4)",
  "'abc'.substring(2, 1)",
  "'abc'.substring(-1)",
  "'abc'.indexOf('a', -1)",
  "'abc'.lastIndexOf('a', -1)",
  'dyn([1]).join()',
]);

table('format', [
  ["'%s is %d'.format([dyn('a'), 3])", 'a is 3'],
  ["'%%|%.2f|%f|%f'.format([3.14159, 1.5, 12345.0])", '%|3.14|1.500000|12,345.000000'],
  ["'%.0f %.0f %.1f %.300f'.format([2.5, 3.5, 0.25, 0.5])", `2 4 0.2 0.5${'0'.repeat(43)}`],
  ["'%e|%.1e|%.15e'.format([2.71828, -1500.0, 1e-9])", '2.718280×10⁰⁰|-1.500000×10⁰³| 1.000000×10⁻⁰⁹'],
  ["'%f %f %f'.format(['Infinity', '-Infinity', 'NaN'])", '∞ -∞ NaN'],
  ["'%b %b %o %x %X'.format([dyn(5), true, 8u, 255, 'hi'])", '101 1 10 ff 6869'],
  ["'%b %x %x'.format([dyn(-5), -255, b'\\xff'])", '-101 -ff ff'],
  ["'%d %d'.format([dyn(-3), 4u])", '-3 4'],
  ["'%.9s|%.9d'.format([dyn('ab'), 1])", 'ab|1'],
  ["'%s %s %s %s'.format([dyn(double('Infinity')), 2.5, 1e-9, 3u])", '+Inf 2.5 1e-09 3'],
  ["'%s %s %s %s'.format([dyn(null), true, int, b'ab'])", 'null true int ab'],
  ["'%s %s'.format([dyn(duration('90s')), timestamp('2024-01-02T03:04:05.5Z')])", '90s 2024-01-02T03:04:05.5Z'],
  ["'%s'.format([[dyn(1), 2u, 'a\"b', b'c', null, string]])", '[1, 2, "a\\"b", b"c", null, string]'],
  ["'%s'.format([[12345.5, 2e-9, -0.0]])", '[12345.500000, 0.000000, -0.000000]'],
  ["'%s'.format([[double('NaN'), double('Infinity'), double('-Infinity')]])", '["NaN", "+Inf", "-Inf"]'],
  [
    "'%s'.format([[dyn(duration('1m')), timestamp('2024-01-02T03:04:05Z')]])",
    '[duration("60s"), timestamp("2024-01-02T03:04:05Z")]',
  ],
  ["'%s'.format([{'b': dyn([true]), 'a': {2: dyn(1), 1: dyn('')}}])", '{"a":{1:"", 2:1}, "b":[true]}'],
  ["'%s %s'.format([dyn([]), {}])", '[] {}'],
]);

describe('errors of format', () => {
  const wrong = 'error during formatting: ';
  const precision = 'could not parse formatting clause: error while parsing precision: ';
  const atoi = `${precision}error while converting precision to integer: strconv.Atoi: parsing `;
  it.each([
    ["dyn('%d').format([])", 'index 0 out of range'],
    ["dyn('%').format([])", 'index 0 out of range'],
    ["dyn('%').format([1])", 'unexpected end of string'],
    ["dyn('%y').format([1])", 'could not parse formatting clause: unrecognized formatting clause "y"'],
    ["dyn('%é').format([1])", 'could not parse formatting clause: unrecognized formatting clause "Ã"'],
    ["dyn('%.').format([1])", `${precision}could not find end of precision specifier`],
    ["dyn('%.3').format([1])", `${precision}could not find end of precision specifier`],
    ["dyn('%.f').format([1])", `${atoi}"": invalid syntax`],
    ["dyn('%.9223372036854775808f').format([1])", `${atoi}"9223372036854775808": value out of range`],
    ["dyn('%d').format(['a'])", `${wrong}decimal clause can only be used on integers, was given string`],
    ["dyn('%d').format([1.5])", `${wrong}decimal clause can only be used on integers, was given double`],
    ["dyn('%f').format([1])", `${wrong}fixed-point clause can only be used on doubles, was given int`],
    ["dyn('%f').format(['1'])", `${wrong}fixed-point clause can only be used on doubles, was given string`],
    ["dyn('%e').format([1u])", `${wrong}scientific clause can only be used on doubles, was given uint`],
    ["dyn('%b').format(['a'])", `${wrong}only integers and bools can be formatted as binary, was given string`],
    ["dyn('%o').format([true])", `${wrong}octal clause can only be used on integers, was given bool`],
    [
      "dyn('%x').format([0.5])",
      `${wrong}only integers, byte buffers, and strings can be formatted as hex, was given double`,
    ],
    [
      "dyn('%s').format([optional.of(1)])",
      `${wrong}string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given optional_type`,
    ],
    ["dyn('%s').format([[optional.of(1)]])", `${wrong}no formatting function for optional_type`],
    [
      "dyn('%s').format([b'\\xff'])",
      `${wrong}could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string`,
    ],
  ])('%s', (text, message) => {
    expect(() => evaluated(text)).toThrow(new CelError(message));
  });
});

table('lists', [
  ['[1, 2, 2].isSorted() && ![2, 1].isSorted() && [].isSorted()', true],
  ["['a', 'b'].isSorted()", true],
  ['[1, 2, 3].sum()', 6n],
  ['[1.5, 2.5].sum()', 4],
  ['[].sum()', 0n],
  ['[3, 1, 2].min()', 1n],
  ["['b', 'c', 'a'].max()", 'c'],
  ['[1, 2, 2, 3].indexOf(2)', 1n],
  ['[1, 2, 2, 3].lastIndexOf(2)', 2n],
  ["['a'].indexOf('b')", -1n],
  ["dyn(['a', 'b']).indexOf('b')", 1n],
  ["dyn([dyn('a'), dyn(1)]).max()", 'a'],
  ["dyn([dyn('a'), dyn(1)]).isSorted()", true],
  ['sets.contains([1, 2, 3], [3, 1])', true],
  ['sets.contains([1], [2])', false],
  ['sets.equivalent([1, 2, 2], [2, 1])', true],
  ["sets.intersects(['a'], ['b', 'a'])", true],
  ['sets.intersects([[1]], [[2], [1]])', true],
]);
failures('lists', ['[].min()', '[9223372036854775807, 1].sum()', '[[1]].sum()']);

table('list transforms', [
  ['[1, 2, 3, 4].slice(1, 3)', [2n, 3n]],
  ['[1, 2].slice(2, 2)', []],
  ['[[1, 2], [], [3]].flatten()', [1n, 2n, 3n]],
  ['[[[1]], [[2], [3]]].flatten()', [[1n], [2n], [3n]]],
  ['dyn([dyn(1), dyn([2])]).flatten()', [1n, 2n]],
  ['dyn([dyn(1), dyn([dyn(2), dyn([dyn(3), dyn([4])])])]).flatten(2)', [1n, 2n, 3n, [4n]]],
  ['[[1]].flatten(0)', [[1n]]],
  ['lists.range(3)', [0n, 1n, 2n]],
  ['lists.range(0) + lists.range(-5)', []],
  ['[3, 1, 2].reverse()', [2n, 1n, 3n]],
  ['[1, 2, 2, 1, 3].distinct()', [1n, 2n, 3n]],
  ["dyn([dyn(1), dyn('b'), dyn(1.0), dyn('b')]).distinct()", [1n, 'b']],
  ["['b', 'c', 'a'].sort()", ['a', 'b', 'c']],
  ['[true, false].sort() + [2.5 < 1.5]', [false, true, false]],
  ['[].sort()', []],
  ["['ccc', 'a', 'bb'].sortBy(t, t.size())", ['a', 'bb', 'ccc']],
  ["['b', 'a'].map(t, t).sortBy(t, t)", ['a', 'b']],
  ['[[2, 1], [1, 9]].sortBy(l, l[0]).flatten()', [1n, 9n, 2n, 1n]],
  ['[-3, 1, -5].map(e, e * 2).sortBy(e, -(e * e))', [-10n, -6n, 2n]],
  ['[[3, 1], [2]].map(l, l.sortBy(e, e))', [[1n, 3n], [2n]]],
  ['dyn([]).flatten() + [].flatten() + [].sortBy(e, e)', []],
  ['[1, 2, 3].first().value() + [1, 2, 3].last().value()', 4n],
  ['[].first().hasValue() || [].last().hasValue()', false],
  ['optional.unwrap([optional.of(1), optional.none(), optional.of(3)])', [1n, 3n]],
  ["[optional.none(), optional.of('a')].unwrapOpt()", ['a']],
]);

describe('errors of list transforms', () => {
  it.each([
    ['[1].slice(-1, 1)', 'cannot slice(-1, 1), negative indexes not supported'],
    ['[1].slice(1, 0)', 'cannot slice(1, 0), start index must be less than or equal to end index'],
    ['[1].slice(0, 2)', 'cannot slice(0, 2), list is length 1'],
    ['[[1]].flatten(-1)', 'level must be non-negative'],
    ['dyn(1).flatten()', 'no such overload: int.flatten()'],
    ["dyn([1]).flatten(dyn('a'))", 'no such overload: list.flatten(string)'],
    ["dyn([dyn(1), dyn('a')]).sort()", 'list elements must have the same type'],
    ['dyn([[1]]).sort()', 'list elements must be comparable'],
    ['dyn(1).sort()', 'no such overload: sort'],
    ["dyn('a').sort()", 'no such overload'],
    ["[1, 2].sortBy(n, dyn(n == 1 ? dyn(n) : dyn('a')))", 'list elements must have the same type'],
    ['dyn([dyn(optional.of(1)), dyn(2)]).unwrapOpt()', 'value 2 is not optional'],
    ['dyn(1).first()', 'no such overload: first(int)'],
  ])('%s', (text, message) => {
    expect(() => evaluated(text)).toThrow(new CelError(message));
  });

  it.each([
    ['[1].flatten()', "found no matching overload for 'flatten' applied to 'list(int).()'"],
    ["'a'.reverse()", "found no matching overload for 'reverse' applied to 'string.()'"],
    ['[[1]].sort()', "found no matching overload for 'sort' applied to 'list(list(int)).()'"],
    [
      '{1: 2}.sortBy(n, n)',
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    ],
    ['[1].sortBy(1, 2)', 'argument is not an identifier'],
    [
      '[1].sortBy(n, [n])',
      "found no matching overload for '@sortByAssociatedKeys' applied to 'list(int).(list(list(int)))'",
    ],
  ])('%s is refused', (text, message) => {
    expect(() => evaluated(text)).toThrow(message);
  });
});

table('regular expressions', [
  ["'foo bar'.matches('^f.*r$')", true],
  ["'foo'.matches('o')", true],
  ["matches('foo', '^o')", false],
  ["'abc 123'.find('[0-9]+')", '123'],
  ["'abc'.find('[0-9]')", ''],
  ["'a1b22'.findAll('[0-9]+')", ['1', '22']],
  ["'a1b22'.findAll('[0-9]+', 1)", ['1']],
]);

table('optionals', [
  ["{'a': 1}.?a.optMap(v, v + 1).orValue(0)", 2n],
  ["{'a': 1}.?b.optMap(v, v + 1).orValue(0)", 0n],
  ["dyn({'a': ['x']}).?a.optMap(l, l.map(e, 'p:' + e)).orValue([])", ['p:x']],
  ["{'a': {'b': 2}}.?a.optFlatMap(m, m[?'b']).hasValue()", true],
  ["{'a': {'b': 2}}.?a.optFlatMap(m, m[?'c']).hasValue()", false],
  ["optional.ofNonZeroValue('').hasValue() || optional.ofNonZeroValue([]).hasValue()", false],
  ["optional.ofNonZeroValue('a').value()", 'a'],
  ["[1, 2].map(i, {'a': i}.?a.optMap(v, v * 10).value())", [10n, 20n]],
]);
failures('optionals', [
  'dyn(1).optMap(v, v)',
  "{'a': 1}.?a.optFlatMap(v, v)",
  "{'a': 1}.?a.optMap(1, 2)",
  'optional.none().value()',
]);

table('URLs', [
  ["url('https://Example.com:443/a%20b/?q=1&q=2&r=x%20y').getHost()", 'Example.com:443'],
  ["url('https://user@example.com:443/').getHostname()", 'example.com'],
  ["url('https://[::1]:8443/').getHostname()", '::1'],
  ["url('https://example.com:443/').getPort()", '443'],
  ["url('https://example.com/').getPort()", ''],
  ["url('HTTPS://example.com/').getScheme()", 'https'],
  ["url('https://example.com/a%20b').getEscapedPath()", '/a%20b'],
  ["url('/path').getEscapedPath()", '/path'],
  ["url('https://e/?q=1&q=2').getQuery()['q']", ['1', '2']],
  ["url('https://a/') == url('https://a/') && url('https://a/') != url('https://b/')", true],
  ["isURL('https://example.com') && isURL('/a')", true],
  ["isURL('example.com') || isURL('../a') || isURL('http://a b') || isURL('https://a/%zz') || isURL('')", false],
]);

table('addresses', [
  ["ip('192.168.0.1').family()", 4n],
  ["ip('2001:db8::1').family()", 6n],
  ["isIP('127.0.0.1') && isIP('::1')", true],
  [
    "isIP('127.0.0.256') || isIP('01.2.3.4') || isIP('::ffff:1.2.3.4') || isIP('::ffff:102:304') || isIP('fe80::1%eth0')",
    false,
  ],
  ["ip.isCanonical('2001:db8::1') && !ip.isCanonical('2001:DB8::1') && !ip.isCanonical('2001:db8:0:0::1')", true],
  ["ip('127.0.0.1').isLoopback() && ip('::1').isLoopback()", true],
  ["ip('0.0.0.0').isUnspecified() && ip('::').isUnspecified()", true],
  [
    "ip('224.0.0.1').isLinkLocalMulticast() && ip('ff02::1').isLinkLocalMulticast() && !ip('224.0.1.1').isLinkLocalMulticast()",
    true,
  ],
  ["ip('169.254.0.1').isLinkLocalUnicast() && ip('fe80::1').isLinkLocalUnicast()", true],
  [
    "ip('10.0.0.1').isGlobalUnicast() && !ip('255.255.255.255').isGlobalUnicast() && !ip('ff02::1').isGlobalUnicast()",
    true,
  ],
  ["string(ip('2001:0db8:0:0:1:0:0:1'))", '2001:db8::1:0:0:1'],
  ["string(ip('::'))", '::'],
  ["string(ip('1:0:2:3:4:5:6:7'))", '1:0:2:3:4:5:6:7'],
  ["ip('::1') == ip('0:0::1')", true],
  ["cidr('192.168.0.0/24').containsIP('192.168.0.7')", true],
  ["cidr('192.168.0.0/24').containsIP(ip('192.168.1.7'))", false],
  ["cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && !cidr('10.0.0.0/8').containsCIDR(cidr('0.0.0.0/0'))", true],
  ["string(cidr('192.168.0.7/24').masked())", '192.168.0.0/24'],
  ["cidr('::1/128').prefixLength()", 128n],
  ["string(cidr('192.168.0.7/24').ip())", '192.168.0.7'],
  ["isCIDR('10.0.0.0/33') || isCIDR('10.0.0.0') || isCIDR('::/129') || isCIDR('10.0.0.0/08')", false],
]);

describe('errors of semver()', () => {
  it.each([
    ['', 'Version string empty'],
    ['1.2', 'No Major.Minor.Patch elements found'],
    ['x.2.3', 'Invalid character(s) found in major number "x"'],
    ['01.2.3', 'Major number must not contain leading zeroes "01"'],
    ['1..3', 'strconv.ParseUint: parsing "": invalid syntax'],
    ['1.02.3', 'Minor number must not contain leading zeroes "02"'],
    ['1.2.x', 'Invalid character(s) found in patch number "x"'],
    ['1.2.3.4', 'Invalid character(s) found in patch number "3.4"'],
    ['1.2.03', 'Patch number must not contain leading zeroes "03"'],
    ['1.2.18446744073709551616', 'strconv.ParseUint: parsing "18446744073709551616": value out of range'],
    ['1.2.3-', 'Prerelease is empty'],
    ['1.2.3-01', 'Numeric PreRelease version must not contain leading zeroes "01"'],
    ['1.2.3-a_b', 'Invalid character(s) found in prerelease "a_b"'],
    ['1.2.3+', 'Build meta data is empty'],
    ['1.2.3-a+b_c', 'Invalid character(s) found in build meta data "b_c"'],
  ])('%s', (text, message) => {
    expect(() => evaluated(`semver('${text}')`)).toThrow(new CelError(message));
  });
});

table('conversions', [
  ["int('-12') + int(3.9) + int(2u)", -7n],
  ["string(timestamp('2024-01-02T03:04:05Z'))", '2024-01-02T03:04:05Z'],
  ["int(timestamp('1970-01-01T00:01:00Z'))", 60n],
  ["string(timestamp('2024-01-02T03:04:05+01:00'))", '2024-01-02T03:04:05+01:00'],
  ["string(timestamp('2024-01-02T03:04:05.5-09:30') + duration('1h'))", '2024-01-02T04:04:05.5-09:30'],
  ["string(timestamp('2024-01-02T03:04:05+00:00') - duration('1s'))", '2024-01-02T03:04:04Z'],
  ["string(timestamp('9999-12-31T23:00:00+05:00') + duration('4h'))", '10000-01-01T03:00:00+05:00'],
  ["timestamp('2024-01-02T03:04:05+01:00') == timestamp('2024-01-02T02:04:05Z')", true],
  ["timestamp('2024-01-02T03:04:05+01:00').getHours()", 2n],
  ["timestamp('2024-01-02T3:04:05,25Z').getMilliseconds()", 250n],
  ["timestamp('2024-01-02T03:04:05Z').getMinutes('-9:30')", 34n],
  ["timestamp('2024-01-02T03:04:05Z').getHours('2:0')", 5n],
  ["string(duration('1m'))", '60s'],
  ["string(duration('-1.5s'))", '-1.5s'],
  ["string(duration('0s'))", '0s'],
  ["string(duration('20ns'))", '0.00000002s'],
  ["string(duration('-1us'))", '-0.000001s'],
  ["string(duration('2562047h47m16.854775807s'))", '9223372036.854776s'],
  ["duration('1h') > duration('59m') && duration('1h30m').getMinutes() == 90", true],
  ["timestamp('2024-01-01T00:00:00Z') + duration('24h') == timestamp('2024-01-02T00:00:00Z')", true],
]);
failures('conversions', [
  "timestamp('2024-01-02t03:04:05z' + '')",
  "timestamp('2024-01-02T03:04:05+25:00' + '')",
  "timestamp('2024-01-02T03:04:05+01:61' + '')",
  "timestamp('2024-01-02T03:04:05Z').getHours('x:30')",
  "timestamp('2024-01-02T03:04:05Z').getHours('1:')",
  "int('')",
  "int('0x10')",
  "int('1.5')",
  "uint('-1')",
  'uint(-1)',
  'int(1e30)',
  "duration('1')",
  "duration('')",
]);
