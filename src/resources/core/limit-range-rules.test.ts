import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { serverUser } from '../../meta/user.ts';
import { limitRangeRules } from './limit-range-rules.ts';

const rangeOf = (...limits: object[]): ResourceObject => ({ metadata: { name: 'r' }, spec: { limits } });

describe('a limit range', () => {
  it.each([
    [{ max: { cpu: '2' } }, { max: { cpu: '2' }, default: { cpu: '2' }, defaultRequest: { cpu: '2' } }],
    [{ min: { cpu: '1' } }, { min: { cpu: '1' }, defaultRequest: { cpu: '1' } }],
    [{ default: { cpu: '1' } }, { default: { cpu: '1' }, defaultRequest: { cpu: '1' } }],
    [{ defaultRequest: { cpu: '1' } }, { defaultRequest: { cpu: '1' } }],
    [
      { max: { b: '4' }, min: { a: '1', b: '1' }, default: { b: '3' } },
      { max: { b: '4' }, min: { a: '1', b: '1' }, default: { b: '3' }, defaultRequest: { a: '1', b: '3' } },
    ],
    [{}, {}],
  ])('sets the defaults of container items: %j', (item, expected) => {
    const range = rangeOf({ type: 'Container', ...item }, { type: 'Pod', ...item });
    limitRangeRules.setDefaults!(range);
    expect(range.spec).toEqual({
      limits: [
        { type: 'Container', ...expected },
        { type: 'Pod', ...item },
      ],
    });
  });

  it('gets a name when it has none', () => {
    const range: ResourceObject = { metadata: {} };
    limitRangeRules.prepareCreate!(range, serverUser);
    expect(range.metadata.name).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    [{ min: { memory: '1Ei' }, max: { memory: '4Ei' }, maxLimitRequestRatio: { memory: '4' } }, []],
    [
      { min: { memory: '1Ei' }, max: { memory: '4Ei' }, maxLimitRequestRatio: { memory: '4500m' } },
      [
        'spec.limits[0].maxLimitRequestRatio[memory]: Invalid value: "4500m": ratio 4500m is greater than max/min = 4.000000',
      ],
    ],
    [{ min: { cpu: '300m' }, max: { cpu: '400m' }, maxLimitRequestRatio: { cpu: '1333m' } }, []],
    [
      { min: { cpu: '300m' }, max: { cpu: '400m' }, maxLimitRequestRatio: { cpu: '1334m' } },
      [
        'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "1334m": ratio 1334m is greater than max/min = 1.333333',
      ],
    ],
    [{ min: { cpu: '0' }, max: { cpu: '1' }, maxLimitRequestRatio: { cpu: '100' } }, []],
  ])('compares the ratio with max/min of %j', (item, errors) => {
    expect(limitRangeRules.validate!(rangeOf({ type: 'Pod', ...item })).map(fieldErrorText)).toEqual(errors);
  });

  it.each(['constructor', '__proto__', 'toString'])('does not read amounts from Object.prototype: %s', (name) => {
    const resources = Object.fromEntries([[name, '1']]);
    const range = rangeOf({ type: 'example.com/Thing', max: resources, min: { cpu: '1' }, default: { cpu: '1' } });
    const errors = limitRangeRules.validate!(range);
    expect(errors.every(({ field }) => field === `spec.limits[0].max[${name}]`)).toBe(true);
  });
});
