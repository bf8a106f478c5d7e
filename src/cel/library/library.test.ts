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
  ["'abc'.contains('b') && 'abc'.startsWith('a') && 'abc'.endsWith('c')", true],
  ["size('a😀')", 2n],
]);
failures('strings', [
  "'abc'.charAt(4)",
  "'abc'.substring(2, 1)",
  "'abc'.substring(-1)",
  "'abc'.indexOf('a', 3)",
  'dyn([1]).join()',
]);

table('format', [
  ["'%s is %d'.format([dyn('a'), 3])", 'a is 3'],
  ["'%%|%.2f|%.1e|%f'.format([3.14159, 1500.0, 1.5])", '%|3.14|1.5e+03|1.500000'],
  ["'%b %o %x %X'.format([dyn(5), 8, 255, 'hi'])", '101 10 ff 6869'],
  ["'%s %s %s'.format([dyn([dyn(1), 'a']), {'k': true}, null])", '[1, a] {k: true} null'],
  ["'%s'.format([duration('90s')])", '90s'],
]);
failures('format', ["'%d'.format(['a'])", "'%s'.format([])", "'%y'.format([1])", "'%.999f'.format([1.0])"]);

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
  ['sets.contains([1, 2, 3], [3, 1])', true],
  ['sets.contains([1], [2])', false],
  ['sets.equivalent([1, 2, 2], [2, 1])', true],
  ["sets.intersects(['a'], ['b', 'a'])", true],
  ['sets.intersects([[1]], [[2], [1]])', true],
]);
failures('lists', ['[].min()', '[9223372036854775807, 1].sum()', '[[1]].sum()']);

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

table('conversions', [
  ["int('-12') + int(3.9) + int(2u)", -7n],
  ["string(timestamp('2024-01-02T03:04:05Z'))", '2024-01-02T03:04:05Z'],
  ["int(timestamp('1970-01-01T00:01:00Z'))", 60n],
  ["string(duration('1m'))", '60s'],
  ["string(duration('-1.5s'))", '-1.5s'],
  ["duration('1h') > duration('59m') && duration('1h30m').getMinutes() == 90", true],
  ["timestamp('2024-01-01T00:00:00Z') + duration('24h') == timestamp('2024-01-02T00:00:00Z')", true],
]);
failures('conversions', [
  "int('')",
  "int('0x10')",
  "int('1.5')",
  "uint('-1')",
  'uint(-1)',
  'int(1e30)',
  "duration('1')",
  "duration('')",
]);
