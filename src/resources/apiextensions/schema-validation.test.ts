import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import { runSync } from '../../meta/turns.ts';
import type { JsonSchema, ValidationRule } from '../../schema/structural/json-schema.ts';
import { validateSchema } from './schema-validation.ts';

const rules = (...all: (string | ValidationRule)[]): Pick<JsonSchema, 'x-kubernetes-validations'> => ({
  'x-kubernetes-validations': all.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});
const object = (properties: Record<string, JsonSchema>, own = rules()): JsonSchema => ({
  type: 'object',
  properties,
  ...own,
});
const text: JsonSchema = { type: 'string' };
const short: JsonSchema = { type: 'string', maxLength: 10 };

function errorsOf(schema: JsonSchema, options = { isUnchanged: false }): string[] {
  return runSync(validateSchema(schema, 'S', { hasStatus: false, ...options })).map(fieldErrorText);
}

const shown = ({ rule = '', message = '', messageExpression = '', optionalOldSelf }: ValidationRule): string =>
  JSON.stringify({
    Rule: rule,
    Message: message,
    MessageExpression: messageExpression,
    Reason: null,
    FieldPath: '',
    OptionalOldSelf: optionalOldSelf ?? null,
  });
const at = 'S.properties[a].x-kubernetes-validations[0]';
const budget = (subject: string, times: string): string =>
  `Forbidden: ${subject} exceeds budget by factor of ${times} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;

describe('keywords that structural schemas do not support', () => {
  const dialect: JsonSchema = { $schema: 'https://json-schema.org/schema' };
  const unsupported = ['S: Invalid value: "": OpenAPI \'schema\' is not supported'];
  it.each<[string, JsonSchema, readonly string[]]>([
    ['$schema', { ...object({}), ...dialect }, unsupported],
    ['$schema of a property', object({ a: { ...text, ...dialect } }), unsupported],
    ['$schema of items', object({ a: { type: 'array', items: { ...text, ...dialect } } }), unsupported],
    ['$schema of an alternative', { ...object({ a: text }), anyOf: [{ ...dialect }] }, unsupported],
    ['definitions', { ...object({}), definitions: {} }, ['S.definitions: Forbidden: definitions is not supported']],
    // The structure of such a schema is not checked.
    ['$ref and no type', object({ a: { $ref: '#/x' } }), ['S.properties[a].$ref: Forbidden: $ref is not supported']],
  ])('%s', (_what, schema, errors) => {
    expect(errorsOf(schema)).toEqual(errors);
  });
});

describe('schemas of scalars', () => {
  it.each<[string, JsonSchema, readonly string[]]>([
    ['valid', { type: 'string', description: 'x', enum: ['x'], default: 'x', pattern: '^x$' }, []],
    ['type', { type: 'text' }, ['S.properties[a].type: Unsupported value: "text"']],
    ['no type', { description: 'x' }, ['S.properties[a].type: Required value: must not be empty']],
    ['pattern', { type: 'string', pattern: '(' }, ['S.properties[a].pattern: Invalid value: "(": must be a valid']],
    ['default', { type: 'integer', default: 'x' }, ['S.properties[a].default: Invalid value: "string"']],
    ['rules', { type: 'string', ...rules('') }, [`${at}.rule: Required value: rule is not specified`]],
    ['uniqueItems', { type: 'string', uniqueItems: true }, ['S.properties[a].uniqueItems: Forbidden: uniqueItems']],
    ['id', { type: 'string', id: 'x' }, ['S.properties[a].id: Forbidden: id is not supported']],
    [
      'list type',
      { type: 'string', 'x-kubernetes-list-type': 'set' },
      ['S.properties[a].type: Invalid value: "string"'],
    ],
  ])('%s', (_what, schema, errors) => {
    expect(errorsOf(object({ a: schema }))).toEqual(errors.map((error) => expect.stringContaining(error)));
  });

  it('have no defaults in the metadata', () => {
    expect(errorsOf(object({ kind: { ...text, default: 'x' } }))).toEqual([
      'S.properties[kind].default: Forbidden: must not be set in top-level kind',
    ]);
  });
});

describe('expressions of rules', () => {
  it.each<[string, JsonSchema, readonly string[]]>([
    ['valid', object({ a: { ...text, ...rules('self.size() > 1', 'self == oldSelf') } }), []],
    [
      'wrong type',
      object({ a: { ...text, ...rules('self == 1') } }),
      [
        `${at}.rule: Invalid value: ${shown({ rule: 'self == 1' })}: compilation failed: ERROR: <input>:1:6: found no matching overload for '_==_' applied to '(string, int)'\n | self == 1\n | .....^`,
      ],
    ],
    [
      'not a bool',
      object({ a: { ...text, ...rules('self') } }),
      [`${at}.rule: Invalid value: ${shown({ rule: 'self' })}: cel expression must evaluate to a bool`],
    ],
    [
      'constants without a value',
      object({ a: { ...text, ...rules('int(1e99) == 1', { rule: 'true', messageExpression: 'string(uint(-1))' }) } }),
      [
        `${at}.rule: Invalid value: ${shown({ rule: 'int(1e99) == 1' })}: program instantiation failed: integer overflow`,
        `${at.replace('[0]', '[1]')}.messageExpression: Invalid value: ${shown({ rule: 'true', messageExpression: 'string(uint(-1))' })}: messageExpression instantiation failed: unsigned integer overflow`,
      ],
    ],
    [
      'entries of different types',
      object({ a: { ...text, ...rules("self in [self, 1, 'a'] || '%s %d'.format([self, 1]) == self") } }),
      [expect.stringContaining("expected type 'string' but found 'int'\n")],
    ],
    [
      'fields named like words of the language',
      object(
        { namespace: text, for: { type: 'integer' }, a: object({ if: { type: 'array', maxItems: 3, items: short } }) },
        rules(
          'self.namespace == self.__namespace__ && self.for > 1 && has(self.a.if)',
          "self.a.?if[?0].orValue('').size() < 5 && self.a.__if__.all(word, word != self.namespace)",
        ),
      ),
      [],
    ],
    [
      'sizes of fields named like words of the language, which are not known without escapes',
      object({ if: { type: 'array', maxItems: 3, items: short } }, rules("self.if.all(word, word != 'a')")),
      [
        expect.stringContaining('rule: Forbidden: estimated rule cost exceeds budget'),
        expect.stringContaining('rule: Forbidden: contributed'),
        expect.stringContaining('S: Forbidden'),
      ],
    ],
    [
      'macros that Kubernetes does not have',
      object({ a: { ...text, ...rules('cel.bind(b, self, b.size() > 1)') } }),
      [expect.stringContaining("undeclared reference to 'cel'")],
    ],
    [
      'objects of different places differ',
      object({ a: object({ x: text }), b: object({ x: text }) }, rules('self.a == self.b')),
      [expect.stringContaining("found no matching overload for '_==_'")],
    ],
    [
      'message expression that does not compile',
      object({ a: { ...text, ...rules({ rule: 'true', messageExpression: 'zz' }) } }),
      [
        `${at}.messageExpression: Invalid value: ${shown({ rule: 'true', messageExpression: 'zz' })}: messageExpression compilation failed: ERROR: <input>:1:1: undeclared reference to 'zz' (in container '')\n | zz\n | ^`,
      ],
    ],
    [
      'message expression that is no string',
      object({ a: { ...text, ...rules({ rule: 'true', messageExpression: '1' }) } }),
      [
        `${at}.messageExpression: Invalid value: ${shown({ rule: 'true', messageExpression: '1' })}: messageExpression must evaluate to a string`,
      ],
    ],
    [
      'old values in a list whose items have no keys',
      object({ a: { type: 'array', maxItems: 5, items: object({ b: { ...text, ...rules('self == oldSelf') } }) } }),
      [
        'S.properties[a].items.properties[b].x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within S.properties[a]',
      ],
    ],
    [
      'old values in a list with keys',
      object({
        a: {
          type: 'array',
          maxItems: 5,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: { ...object({ k: short, b: { ...short, ...rules('self == oldSelf') } }), required: ['k'] },
        },
      }),
      [],
    ],
    [
      'optionalOldSelf without oldSelf',
      object({ a: { ...text, ...rules({ rule: 'true', optionalOldSelf: true }) } }),
      [`${at}.optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule`],
    ],
    [
      'optionalOldSelf',
      object({ a: { ...short, ...rules({ rule: 'oldSelf.orValue("x") == self', optionalOldSelf: true }) } }),
      [],
    ],
    [
      'unknown type',
      object({ a: { 'x-kubernetes-preserve-unknown-fields': true, ...rules('true') } }),
      [
        'S.properties[a].x-kubernetes-validations: Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations',
      ],
    ],
    [
      'rules of defaults',
      object({ a: { ...short, default: 'x', ...rules('self != "x"') } }),
      ['S.properties[a].default: Invalid value: "x": failed rule: self != "x"'],
    ],
    [
      'not checked when the schema has errors',
      object({ a: { ...text, uniqueItems: true, ...rules('zz') } }),
      [expect.stringMatching(/^S.properties\[a\].uniqueItems: Forbidden/)],
    ],
  ])('%s', (_name, schema, expected) => {
    expect(errorsOf(schema)).toEqual(expected);
  });
});

describe('costs of rules', () => {
  const rule = 'self.all(x, x.all(y, y == "abc"))';
  const grid = (maxItems: number): JsonSchema => {
    const row: JsonSchema = { type: 'array', maxItems, items: short };
    return object({ a: { type: 'array', maxItems, items: row, ...rules(rule) } });
  };

  it('are limited for one rule', () => {
    expect(errorsOf(grid(1000))).toEqual([]);
    expect(errorsOf(grid(1500))).toEqual([`${at}.rule: ${budget('estimated rule cost', '1.125750x')}`]);
    expect(errorsOf(grid(3000))).toEqual([`${at}.rule: ${budget('estimated rule cost', '4.5x')}`]);
  });

  it('are limited for all rules together', () => {
    expect(errorsOf(grid(100_000))).toEqual([
      `${at}.rule: ${budget('estimated rule cost', 'more than 100x')}`,
      `${at}.rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`,
      `S: ${budget('x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema', 'more than 100x')}`,
    ]);
  });

  it('are tolerated for one rule when the definition had it before', () => {
    expect(errorsOf(grid(1500), { isUnchanged: true })).toEqual([]);
  });

  it('grow with the number of values', () => {
    const items = { ...short, ...rules('self.matches("^[a-z]+$")') };
    expect(errorsOf(object({ a: { type: 'array', maxItems: 10, items } }))).toEqual([]);
    expect(errorsOf(object({ a: { type: 'array', items } }))).toHaveLength(1);
  });

  it('include those of messages', () => {
    const messageExpression = 'self.map(x, self.map(y, x + y).join(",")).join(",")';
    const a = { type: 'array', maxItems: 2000, items: short, ...rules({ rule: 'true', messageExpression }) };
    expect(errorsOf(object({ a }))[0]).toMatch(
      /messageExpression: Forbidden: estimated messageExpression cost exceeds/,
    );
  });
});

describe('hostile definitions', () => {
  it('may have a bounded number of rules', () => {
    const many = Array.from({ length: 10_001 }, (_, index) => `self != "${index}"`);
    expect(errorsOf(object({ a: { ...text, ...rules(...many) } }))).toEqual([
      'S.x-kubernetes-validations: Too many: 10001: must have at most 10000 items',
    ]);
  });

  it('may be deep', () => {
    let schema: JsonSchema = { ...short, ...rules('self != ""') };
    for (let depth = 0; depth < 300; depth++) schema = object({ a: schema }, rules('has(self.a)'));
    expect(errorsOf(schema)).toEqual([]);
  });
});
