import { describe, expect, it } from 'vitest';
import { policyEntries, webhookEntries } from './admission-entries.ts';

const rule = { operations: ['CREATE', 'UPDATE'], apiGroups: ['apps'], resources: ['deployments'] };

describe('admission entries', () => {
  it('tell by what a policy is in force', () => {
    const policies = [
      { metadata: { name: 'a' }, spec: { failurePolicy: 'Ignore', matchConstraints: { resourceRules: [rule] } } },
      { metadata: { name: 'b' }, spec: {} },
    ];
    const bindings = [{ metadata: { name: 'x' }, spec: { policyName: 'a', validationActions: ['Deny', 'Audit'] } }];
    expect(policyEntries(policies, bindings)).toEqual([
      {
        object: 'a',
        name: 'a',
        sees: ['create, update deployments.apps'],
        failurePolicy: 'Ignore',
        targets: ['x (Deny, Audit)'],
      },
      { object: 'b', name: 'b', sees: [], failurePolicy: 'Fail', targets: [] },
    ]);
  });

  it('tell where webhooks are', () => {
    const service = { name: 's', namespace: 'n' };
    const webhooks = [
      { name: 'one', rules: [{ ...rule, apiGroups: [''] }], clientConfig: { service } },
      { name: 'two', clientConfig: { url: 'https://x' } },
    ];
    expect(
      webhookEntries([{ metadata: { name: 'c' }, webhooks }]).map(({ name, sees, targets }) => [name, sees, targets]),
    ).toEqual([
      ['one', ['create, update deployments'], ['n/s']],
      ['two', [], ['https://x']],
    ]);
  });
});
