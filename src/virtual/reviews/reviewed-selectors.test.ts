import { expect, it } from 'vitest';
import type { ResourceAttributes } from '../../resources/authorization/access-review-types.ts';
import { reviewedSelectors } from './reviewed-selectors.ts';

const fieldIgnored = 'spec.resourceAttributes.fieldSelector ignored due to parse error';
const fieldPartly = 'spec.resourceAttributes.fieldSelector partially ignored due to parse error';
const labelIgnored = 'spec.resourceAttributes.labelSelector ignored due to parse error';
const labelPartly = 'spec.resourceAttributes.labelSelector partially ignored due to parse error';

it.each<[string, ResourceAttributes, ReturnType<typeof reviewedSelectors>]>([
  ['none', {}, { selectors: {}, ignored: [] }],
  [
    'those of a query',
    { fieldSelector: { rawSelector: 'b!=2,a=1' }, labelSelector: { rawSelector: 'a in (y,x),!b,c,d!=1' } },
    {
      selectors: {
        fieldSelector: [
          { key: 'a', operator: 'In', values: ['1'] },
          { key: 'b', operator: 'NotIn', values: ['2'] },
        ],
        labelSelector: [
          { key: 'a', operator: 'In', values: ['x', 'y'] },
          { key: 'b', operator: 'DoesNotExist' },
          { key: 'c', operator: 'Exists' },
          { key: 'd', operator: 'NotIn', values: ['1'] },
        ],
      },
      ignored: [],
    },
  ],
  [
    'comparisons, which are left out',
    { labelSelector: { rawSelector: 'a>1,b' } },
    { selectors: { labelSelector: [{ key: 'b', operator: 'Exists' }] }, ignored: [] },
  ],
  [
    'what is no selector',
    { fieldSelector: { rawSelector: 'a' }, labelSelector: { rawSelector: 'a b' } },
    { selectors: {}, ignored: [fieldIgnored, labelIgnored] },
  ],
  [
    'requirements, some of which nobody knows',
    {
      fieldSelector: {
        requirements: [
          { key: 'a', operator: 'In', values: ['1'] },
          { key: 'a', operator: 'In', values: ['1', '2'] },
        ],
      },
      labelSelector: {
        requirements: [
          { key: 'a', operator: 'Exists' },
          { key: 'b', operator: 'Near', values: ['x'] },
        ],
      },
    },
    {
      selectors: {
        fieldSelector: [{ key: 'a', operator: 'In', values: ['1'] }],
        labelSelector: [{ key: 'a', operator: 'Exists' }],
      },
      ignored: [fieldPartly, labelPartly],
    },
  ],
  [
    'requirements that no query can have',
    { fieldSelector: { requirements: [{ key: 'a', operator: 'Exists' }] } },
    { selectors: {}, ignored: [fieldIgnored] },
  ],
])('reads %s', (_what, selector, expected) => {
  expect(reviewedSelectors(selector)).toEqual(expected);
});
