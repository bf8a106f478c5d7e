import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import type { LabelSelector } from '../../schema/meta-types.ts';
import { compileLabelSelector, isEmptySelector, validateLabelSelector } from './label-selectors.ts';

const texts = (selector: LabelSelector | undefined) => validateLabelSelector(selector, 's').map(fieldErrorText);

describe('validateLabelSelector', () => {
  it.each<[string, LabelSelector | undefined]>([
    ['absent', undefined],
    ['empty', {}],
    ['labels', { matchLabels: { a: 'b', 'x.y/z': '' } }],
    ['In', { matchExpressions: [{ key: 'a', operator: 'In', values: ['b', ''] }] }],
    ['Exists', { matchExpressions: [{ key: 'a', operator: 'Exists' }] }],
  ])('accepts: %s', (_name, selector) => {
    expect(texts(selector)).toEqual([]);
  });

  it('reports the errors of each expression in order: values, key, each value', () => {
    const found = texts({
      matchExpressions: [
        { key: 'a', operator: 'NotIn' },
        { key: 'a', operator: 'DoesNotExist', values: ['x'] },
        { key: '', operator: 'in', values: ['ok', '-'] },
        {},
      ],
    });
    expect(found.map((text) => text.replace(/ \(e\.g\..*$/, ''))).toEqual([
      "s.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "s.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      's.matchExpressions[2].operator: Invalid value: "in": not a valid selector operator',
      's.matchExpressions[2].key: Invalid value: "": name part must be non-empty',
      expect.stringMatching(/^s\.matchExpressions\[2\]\.key: Invalid value: "": name part must consist of/),
      expect.stringMatching(/^s\.matchExpressions\[2\]\.values\[1\]: Invalid value: "-": a valid label must be/),
      's.matchExpressions[3].operator: Invalid value: "": not a valid selector operator',
      's.matchExpressions[3].key: Invalid value: "": name part must be non-empty',
      expect.stringMatching(/^s\.matchExpressions\[3\]\.key: Invalid value: "": name part must consist of/),
    ]);
  });

  it('accepts invalid values of existing expressions', () => {
    const selector = { matchExpressions: [{ key: 'a', operator: 'In', values: ['-'] }] };
    expect(validateLabelSelector(selector, 's', { allowInvalidValues: true })).toEqual([]);
  });
});

describe('compileLabelSelector', () => {
  it.each<[LabelSelector, Record<string, string> | undefined, boolean]>([
    [{}, undefined, true],
    [{ matchLabels: { a: '1' } }, { a: '1', b: '2' }, true],
    [{ matchLabels: { a: '1' } }, { a: '2' }, false],
    [{ matchLabels: { a: '1' } }, undefined, false],
    [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['2', '1', '2'] }] }, { a: '1' }, true],
    [{ matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['1'] }] }, {}, true],
    [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }, { a: '' }, true],
    [{ matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }, { a: '' }, false],
  ])('%j on %j: %s', (selector, labels, matches) => {
    expect(compileLabelSelector(selector).matches(labels)).toBe(matches);
  });
});

describe('isEmptySelector', () => {
  it.each<[LabelSelector, boolean]>([
    [{}, true],
    [{ matchLabels: {}, matchExpressions: [] }, true],
    [{ matchLabels: { a: '' } }, false],
    [{ matchExpressions: [{}] }, false],
  ])('%j: %s', (selector, empty) => {
    expect(isEmptySelector(selector)).toBe(empty);
  });
});
