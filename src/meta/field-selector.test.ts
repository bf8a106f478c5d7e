import { describe, expect, test } from 'vitest';
import { checkFieldSelector, type FieldSelectorRules, parseFieldSelector } from './field-selector.ts';

const messageOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    const { code, reason, message } = (error as { status: { code: number; reason: string; message: string } }).status;
    expect([code, reason]).toEqual([400, 'BadRequest']);
    return message;
  }
  throw new Error('nothing was refused');
};

describe('parsing', () => {
  test.each([
    ['', []],
    [',', []],
    ['a=b', [{ field: 'a', operator: '=', value: 'b' }]],
    ['a==b', [{ field: 'a', operator: '=', value: 'b' }]],
    ['a!=b', [{ field: 'a', operator: '!=', value: 'b' }]],
    ['a=', [{ field: 'a', operator: '=', value: '' }]],
    ['=a', [{ field: '', operator: '=', value: 'a' }]],
    [
      'z=1,a=2',
      [
        { field: 'a', operator: '=', value: '2' },
        { field: 'z', operator: '=', value: '1' },
      ],
    ],
    ['a=b\\,c', [{ field: 'a', operator: '=', value: 'b,c' }]],
    ['a=b\\=c', [{ field: 'a', operator: '=', value: 'b=c' }]],
    ['a=b\\\\', [{ field: 'a', operator: '=', value: 'b\\' }]],
    ['a= b ', [{ field: 'a', operator: '=', value: ' b ' }]],
  ])('%j', (text, requirements) => {
    const selector = parseFieldSelector(text);
    expect(selector.requirements).toEqual(requirements);
    expect(selector.empty).toBe(requirements.length === 0);
  });

  test.each([
    ['metadata.name', "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
    ['a=b,c', "invalid selector: 'a=b,c'; can't understand 'c'"],
    ['a in (b)', "invalid selector: 'a in (b)'; can't understand 'a in (b)'"],
    ['a=b\\c', 'invalid field selector: invalid escape sequence: \\c'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
  ])('%j is refused', (text, message) => {
    expect(messageOf(() => parseFieldSelector(text))).toBe(message);
  });

  test('formats a parsed selector', () => {
    expect(parseFieldSelector('b==x\\,y,a!=1').toString()).toBe('a!=1,b=x\\,y');
  });

  test('requiredValue returns a required value but not an excluded one', () => {
    expect(parseFieldSelector('a=b,metadata.name=x').requiredValue('metadata.name')).toBe('x');
    expect(parseFieldSelector('metadata.name!=x').requiredValue('metadata.name')).toBeUndefined();
  });
});

const at = { group: '', version: 'v1', kind: 'Pod' };
const rules: FieldSelectorRules = {
  fields: { 'status.phase': (object) => (object.status as { phase?: string } | undefined)?.phase ?? '' },
  refusal: 'notSupported',
};

describe('supported fields', () => {
  test.each(['metadata.name=x', 'metadata.namespace!=x', 'status.phase=Running', ''])('%s', (text) => {
    expect(() => checkFieldSelector(parseFieldSelector(text), { ...at, rules })).not.toThrow();
  });

  test.each([
    ['foo=1', undefined, '"foo" is not a known field selector: only "metadata.name", "metadata.namespace"'],
    ['=1', undefined, '"" is not a known field selector: only "metadata.name", "metadata.namespace"'],
    ['spec.foo=1', rules, 'field label not supported: spec.foo'],
    ['toString=1', rules, 'field label not supported: toString'],
    ['metadata.namespace=1', { ...rules, metadataNamespace: false }, 'field label not supported: metadata.namespace'],
    ['x=1', { ...rules, refusal: 'notSupportedForKind' as const }, 'field label "x" not supported for Pod'],
    [
      'x=1',
      { ...rules, refusal: 'notSupportedForGroupVersionKind' as const },
      'field label not supported for /v1, Kind=Pod: x',
    ],
  ])('%s is refused', (text, typeRules, message) => {
    expect(messageOf(() => checkFieldSelector(parseFieldSelector(text), { ...at, rules: typeRules }))).toBe(message);
  });

  test('the message has the group and version', () => {
    const type = {
      group: 'g.io',
      version: 'v2',
      kind: 'K',
      rules: { ...rules, refusal: 'notSupportedForGroupVersionKind' as const },
    };
    expect(messageOf(() => checkFieldSelector(parseFieldSelector('x=1'), type))).toBe(
      'field label not supported for g.io/v2, Kind=K: x',
    );
  });
});

test('has at most 1,000 requirements', () => {
  const text = (count: number): string => Array.from({ length: count }, () => 'a!=b').join();
  expect(parseFieldSelector(text(1_000)).requirements).toHaveLength(1_000);
  expect(() => parseFieldSelector(text(1_001))).toThrow('must not have more than 1000 requirements');
});
