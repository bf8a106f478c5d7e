import type { Random } from '../codec/random.ts';

/**
 * What an expression of each type can be. A word in braces stands for an expression of that type. The first ones need
 * no others.
 */
const forms: Readonly<Record<string, readonly string[]>> = {
  bool: [
    ...['true', 'self.flag', "self.text == 'x'", 'self.count > 1', 'has(self.more)', 'has(self.map.k)'],
    ...[
      '{bool} && {bool}',
      '{bool} || {bool}',
      '!{bool}',
      '{bool} ? {bool} : {bool}',
      '{int} < {int}',
      '{int} == {int}',
    ],
    ...['{string} == {string}', '{string} < {string}', '{string}.startsWith({string})', '{string}.contains({string})'],
    ...["{string}.matches('^[a-z]+$')", '{string}.matches({string})', '{string} in {strings}', '{string} in self.map'],
    ...['{int} in {ints}', '{strings}.all(s, s == {string})', '{strings}.exists(s, s.size() > {int})'],
    ...[
      '{ints}.exists_one(i, i == {int})',
      '{strings} == {strings}',
      '{ints}.isSorted()',
      'sets.contains({ints}, {ints})',
    ],
    ...[
      'sets.intersects({strings}, {strings})',
      'isQuantity({string})',
      "quantity('1Gi').isGreaterThan(quantity('1'))",
    ],
    ...[
      'isIP({string})',
      "ip('10.0.0.1').family() == {int}",
      'isURL({string})',
      'isCIDR({string})',
      'isSemver({string})',
    ],
    ...["cidr('10.0.0.0/8').containsIP('10.1.2.3')", '{double} <= {double}', 'self.map.all(k, k == {string})'],
    ...['{strings}.all(i, s, i < {int})', '{duration} < {duration}', '{time} < {time}', 'self.any == {string}'],
    ...['self.items.all(a, self.items.exists_one(b, a.name == b.name))', "self.?more.orValue('x') == {string}"],
    ...[
      'self == oldSelf',
      'self.count >= oldSelf.count',
      'type(self.count) == int',
      'format.dns1123Label().validate({string}).hasValue()',
    ],
  ],
  int: [
    ...['0', '1', '-1', 'self.count', 'self.text.size()', 'self.list.size()', '9223372036854775807'],
    ...[
      '{int} + {int}',
      '{int} - {int}',
      '{int} * {int}',
      '{int} / {int}',
      '{int} % {int}',
      '-{int}',
      'size({strings})',
    ],
    ...['int({string})', 'int({double})', '{string}.indexOf({string})', '{string}.lastIndexOf({string}, {int})'],
    ...[
      '{ints}.sum()',
      '{ints}.max()',
      '{ints}.min()',
      '{ints}[{int}]',
      '{bool} ? {int} : {int}',
      '{strings}.indexOf({string})',
    ],
    ...[
      'math.greatest({int}, {int})',
      'math.abs({int})',
      'math.bitAnd({int}, {int})',
      '{duration}.getSeconds()',
      '{time}.getHours()',
    ],
    ...["quantity('1500m').asInteger()", 'semver("1.2.3").major()', 'int({time})'],
  ],
  double: [
    ...['1.5', '-0.0', '1e300', 'self.ratio'],
    ...['{double} + {double}', '{double} / {double}', 'double({int})', 'double({string})', 'math.ceil({double})'],
    ...['math.round({double})', "quantity('1500m').asApproximateFloat()"],
  ],
  string: [
    ...["'x'", "''", "'a.b'", "'ünïcode'", 'self.text', 'self.required'],
    ...['{string} + {string}', 'string({int})', 'string({bool})', 'string({double})', '{string}.lowerAscii()'],
    ...[
      "{string}.replace('x', {string})",
      '{string}.substring({int})',
      '{string}.substring({int}, {int})',
      '{string}.trim()',
    ],
    ...[
      "{strings}.join('-')",
      '{strings}[{int}]',
      '{string}.charAt({int})',
      "{string}.find('[a-z]+')",
      '{string}.upperAscii()',
    ],
    ...["'%s and %d'.format([{string}, {int}])", "'%.2f %x'.format([{double}, {int}])", "'%v'.format([{strings}])"],
    ...[
      'self.map[{string}]',
      '{bool} ? {string} : {string}',
      'string({duration})',
      'string({time})',
      '{string}.reverse()',
    ],
    ...['self.items[{int}].name', 'strings.quote({string})', "url('https://a.example.com/b?c=d').getHost()"],
  ],
  strings: [
    ...['self.list', "['a', 'b']", '[]', "['x']"],
    ...[
      '{strings} + {strings}',
      '{strings}.map(s, s + {string})',
      '{strings}.filter(s, s != {string})',
      '[{string}, {string}]',
    ],
    ...[
      "{string}.split('')",
      "{string}.split('.', {int})",
      "{string}.findAll('[a-z]')",
      'self.map.map(k, self.map[k])',
    ],
    ...['{strings}.sort()', '{strings}.distinct()', '{strings}.slice({int}, {int})', 'self.items.map(i, i.name)'],
    ...['{strings}.transformList(i, s, s)', '{strings}.reverse()'],
  ],
  ints: [
    ...['self.numbers', '[1, 2]', '[3, 1]'],
    ...[
      '{ints} + {ints}',
      '{ints}.map(i, i * {int})',
      '{ints}.filter(i, i > {int})',
      '[{int}, {int}]',
      '{strings}.map(s, size(s))',
    ],
  ],
  duration: ["duration('1h')", 'self.period', 'duration({string})', '{duration} + {duration}', '{time} - {time}'],
  time: ["timestamp('2024-05-01T00:00:00Z')", 'self.since', 'timestamp({string})', '{time} + {duration}'],
};

/** How many forms of each type need no others. */
const leaves: Readonly<Record<string, number>> = {
  bool: 6,
  int: 7,
  double: 4,
  string: 6,
  strings: 4,
  ints: 3,
  duration: 2,
  time: 2,
};

/** Generates an expression of a type. Most are of the right types. */
export function generateExpression(random: Random, type: string, depth: number): string {
  const all = forms[type]!;
  const form = depth > 0 ? random.pick(all) : random.pick(all.slice(0, leaves[type]!));
  const filled = form.replace(/\{(\w+)\}/g, (_whole, inner: string) => {
    const wanted = random.chance(0.01) ? random.pick(Object.keys(forms)) : inner;
    return generateExpression(random, wanted, depth - 1);
  });
  return filled === form ? form : `(${filled})`;
}
