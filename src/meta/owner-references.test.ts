import { expect, test } from 'vitest';
import { distinctOwnerReferences } from './owner-references.ts';

const reference = { apiVersion: 'v1', kind: 'A', name: 'x', uid: '1' };

test('keeps distinct references', () => {
  const references = [reference, { ...reference, uid: '2' }, { ...reference, controller: true }];
  const result = distinctOwnerReferences(references);
  expect(result).toEqual({ references });
  expect(result.references).toBe(references);
});

test('removes duplicates with a warning, regardless of field order', () => {
  const again = { uid: '1', name: 'x', kind: 'A', apiVersion: 'v1' };
  expect(distinctOwnerReferences([reference, again, reference])).toEqual({
    references: [reference],
    warning:
      '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such ' +
      'requests as early as 1.24; please fix your requests; duplicate UID(s) observed: 1',
  });
});

test('words the warning differently for duplicates after admission', () => {
  const { warning } = distinctOwnerReferences([reference, reference], { afterAdmission: true });
  expect(warning).toMatch(/^\.metadata\.ownerReferences contains duplicate entries after mutating admission happens; /);
});
