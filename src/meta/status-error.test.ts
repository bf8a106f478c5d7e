import { expect, it } from 'vitest';
import { requiredValue } from './field-error.ts';
import { invalid } from './status-error.ts';

it('reports the first 1,000 validation errors and the number of the others', () => {
  const found = Array.from({ length: 1_500 }, (_, index) => requiredValue(`a[${index}]`));
  const { status } = invalid({ group: '', kind: 'A' }, 'a', found);
  expect(status.details?.causes).toHaveLength(1_000);
  expect(status.message).toMatch(/a\[999\]: Required value, and 500 more\]$/);
});
