import { describe, expect, it } from 'vitest';
import { serviceAccountRules } from './service-account-rules.ts';

describe('warnings of service accounts', () => {
  const plain = { metadata: { name: 'a' } };
  const marked = { metadata: { name: 'a', annotations: { 'kubernetes.io/enforce-mountable-secrets': 'false' } } };

  it.each([
    [marked, undefined, 1],
    [marked, plain, 1],
    [marked, marked, 0],
    [plain, marked, 0],
    [plain, undefined, 0],
  ])('are given for %j instead of %j', (account, oldObject, count) => {
    expect(serviceAccountRules.warnings!(account, oldObject)).toHaveLength(count);
  });
});
