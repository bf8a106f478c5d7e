import { expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import { validateConditionTypes } from './condition-types-validation.ts';
import { validateLimitResponse } from './limit-response-rules.ts';
import type { LimitResponse } from './priority-level-types.ts';

it.each<[string, LimitResponse | undefined, readonly string[]]>([
  ['reject', { type: 'Reject' }, []],
  ['nothing', undefined, ['r.type: Required value']],
  ['no type', {}, ['r.type: Required value']],
  ['an unknown type', { type: 'x' }, ['r.type: Unsupported value: "x": supported values: "Queue", "Reject"']],
])('a limit response: %s', (_name, response, errors) => {
  expect(validateLimitResponse(response, 'r').map(fieldErrorText)).toEqual(errors);
});

it('requires the types of conditions', () => {
  const object = { metadata: {}, status: { conditions: [{ type: 'a' }, {}] } };
  expect(validateConditionTypes(object).map(fieldErrorText)).toEqual(['status.conditions[1].type: Required value']);
});
