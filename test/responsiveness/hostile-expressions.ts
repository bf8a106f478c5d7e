import { bindingsPath, policiesPath, ruleFor } from '../wire/policies.ts';
import type { HostileRequest } from './hostile-request.ts';

/** Objects of this type contain any value. */
const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions';

/** Slightly below the maximum size of an object. */
const length = 1_900_000;
const repeated = (text: string): string => text.repeat(length / text.length);

/** Texts for which one call of some function takes a long time. */
const texts = {
  letters: repeated('ab'),
  cases: repeated('aA'),
  accents: 'é'.repeat(length / 2),
  spaces: `x${repeated(' ')}x`,
  digits: repeated('9'),
  quotes: repeated('"').slice(length / 2),
  percents: repeated('%%'),
  parameters: `http://a/?${Array.from({ length: length / 10 }, (_, index) => `k${index}=1`).join('&')}`,
  labels: repeated('a-'),
};

/** Single calls on the text `t`, most of them with the text for which they take the longest time. */
const calls: readonly (readonly [keyof typeof texts, string])[] = [
  ['letters', "t.matches('^(a|b|ab)*c$')"],
  ['letters', "matches(t, '(a?){10}b$')"],
  ['letters', "t.find('x$') == ''"],
  ['letters', "t.findAll('a').size() > 0"],
  ['letters', "t.split('').size() > 0"],
  ['accents', "t.split('').size() > 0"],
  ['letters', "t.split('a').join('b').size() > 0"],
  ['letters', "t.split('').min() == 'a'"],
  ['letters', "t.split('').isSorted()"],
  ['letters', "t.split('').indexOf('z') < 0"],
  ['letters', "t.split('') == t.split('')"],
  ['letters', "sets.contains(t.split(''), t.split(''))"],
  ['letters', "'%s'.format([t.split('')]) == ''"],
  ['letters', "t.replace('a', 'bb') == ''"],
  ['letters', "t.replace('', 'b') == ''"],
  ['cases', "t.lowerAscii() == ''"],
  ['accents', "t.upperAscii() == ''"],
  ['spaces', "t.trim() == ''"],
  ['accents', "t.charAt(5) == 'é'"],
  ['accents', "t.substring(1, 5) == ''"],
  ['accents', "t.lastIndexOf('x') < 0"],
  ['letters', `t.contains('${'ab'.repeat(40)}c')`],
  ['quotes', "strings.quote(t) == ''"],
  ['percents', "t.format([]) == ''"],
  ['letters', "t + t + t + t == ''"],
  ['letters', "t < t + 'a'"],
  ['digits', 'quantity(t).isGreaterThan(quantity(t))'],
  ['digits', 'isQuantity(t)'],
  ['digits', 'int(t) > 0'],
  ['digits', 'double(t) > 0.0'],
  ['parameters', 'url(t).getQuery().size() > 0'],
  ['quotes', 'isURL(t)'],
  ['digits', 'isIP(t) || isCIDR(t) || isSemver(t)'],
  ['accents', "string(bytes(t)) == ''"],
  ['labels', 'format.dns1123Subdomain().validate(t).hasValue()'],
  ['letters', 'format.byte().validate(t).hasValue()'],
  ['digits', "timestamp(t) > timestamp('2026-01-01T00:00:00Z')"],
  ['digits', "duration(t) > duration('1s')"],
];

const binding = JSON.stringify({
  metadata: { name: 'calls' },
  spec: { policyName: 'calls', validationActions: ['Deny'] },
});

function policy(spec: object): string {
  const matchConstraints = { resourceRules: [ruleFor('apps/controllerrevisions', ['CREATE'])] };
  return JSON.stringify({ metadata: { name: 'calls' }, spec: { matchConstraints, ...spec } });
}

function admitted(about: string, text: keyof typeof texts, spec: object): HostileRequest {
  return {
    about: `policy: ${about} of ${text}`,
    method: 'POST',
    path: revisions,
    body: () => JSON.stringify({ metadata: { name: 'text' }, revision: 1, data: { t: texts[text] } }),
    given: [
      { path: policiesPath, body: () => policy(spec) },
      { path: bindingsPath, body: () => binding },
    ],
  };
}

const variables = [{ name: 't', expression: 'object.data.t' }];
/** Each text is twice as long as the previous one. */
const doubled = [
  { name: 't0', expression: 'object.data.t' },
  ...[1, 2].map((index) => ({ name: `t${index}`, expression: `variables.t${index - 1} + variables.t${index - 1}` })),
];

/** Expressions of policies in which one call takes a long time. */
export const hostileExpressions: readonly HostileRequest[] = [
  ...calls.map(([text, call]) =>
    admitted(call, text, { variables, validations: [{ expression: call.replace(/\bt\b/g, 'variables.t') }] }),
  ),
  admitted('a condition', 'letters', {
    matchConditions: [{ name: 'c', expression: "object.data.t.split('').size() > 0" }],
    validations: [{ expression: 'true' }],
  }),
  admitted('a message', 'letters', {
    validations: [{ expression: 'false', messageExpression: "object.data.t.replace('a', 'bb')" }],
  }),
  admitted('many calls', 'letters', {
    variables,
    validations: Array.from({ length: 20 }, (_, index) => ({ expression: `variables.t.indexOf('x${index}') < 0` })),
  }),
  admitted('doubled texts', 'letters', {
    variables: doubled,
    validations: [{ expression: "variables.t2.lowerAscii() == ''" }],
  }),
];
