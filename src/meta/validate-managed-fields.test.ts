import { expect, test } from 'vitest';
import { fieldErrorText } from './field-error.ts';
import { validateFieldManager } from './validate-managed-fields.ts';

test.each(['', 'kubectl', 'my manager/1.0', 'ünï', 'x'.repeat(128)])('accepts %j', (manager) => {
  expect(validateFieldManager(manager, 'fieldManager')).toEqual([]);
});

test.each([
  ['x'.repeat(129), ['fieldManager: Too long: may not be more than 128 bytes']],
  ['abc\t', ['fieldManager: Invalid value: "abc\\t": invalid character U+0009 (at position 3)']],
  [
    'é\n\u{e0001}',
    [
      'fieldManager: Invalid value: "é\\n\\U000e0001": invalid character U+000A (at position 2)',
      'fieldManager: Invalid value: "é\\n\\U000e0001": invalid character U+E0001 (at position 3)',
    ],
  ],
])('refuses %j', (manager, texts) => {
  expect(validateFieldManager(manager, 'fieldManager').map(fieldErrorText)).toEqual(texts);
});
