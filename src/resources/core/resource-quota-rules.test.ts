import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import { resourceQuotaRules } from './resource-quota-rules.ts';

const metadata = { name: 'q' };

describe('an update of a quota', () => {
  it.each([
    [['BestEffort', 'Terminating'], ['Terminating', 'BestEffort', 'BestEffort'], []],
    [undefined, undefined, []],
    [['BestEffort'], undefined, ['spec.scopes: Invalid value: ["BestEffort"]: field is immutable']],
    [undefined, ['BestEffort'], ['spec.scopes: Invalid value: null: field is immutable']],
  ])('may change the scopes only in order: %j instead of %j', (next, old, errors) => {
    const found = resourceQuotaRules.validateUpdate!(
      { metadata, spec: { scopes: next } },
      { metadata, spec: { scopes: old } },
    );
    expect(found.map(fieldErrorText)).toEqual(errors);
  });

  it('validates the status, too', () => {
    const quota = { metadata, status: { hard: { things: '1' }, used: { pods: '-1' } } };
    expect(resourceQuotaRules.validateStatus!(quota, quota).map(fieldErrorText)).toEqual([
      'status.hard[things]: Invalid value: "things": must be a standard resource type or fully qualified',
      'status.hard[things]: Invalid value: "things": must be a standard resource for quota',
      'status.used[pods]: Invalid value: "-1": must be greater than or equal to 0',
    ]);
  });
});
