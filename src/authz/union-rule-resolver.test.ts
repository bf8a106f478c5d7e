import { describe, expect, it } from 'vitest';
import type { RuleResolver, UserRules } from './rule-resolver.ts';
import { incompleteRules, UnionRuleResolver } from './union-rule-resolver.ts';

const user = { name: 'u', uid: '', groups: [], extra: {} };
const pods = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
const nodes = { verbs: ['get'], apiGroups: [''], resources: ['nodes'] };
const paths = { verbs: ['get'], nonResourceURLs: ['/x'] };
const rules = (some: Partial<UserRules>): UserRules => ({
  resourceRules: [],
  nonResourceRules: [],
  incomplete: false,
  evaluationError: '',
  ...some,
});
const resolver = (some: Partial<UserRules>): RuleResolver => ({ rulesFor: () => rules(some) });
const notListed = 'webhook authorizer does not support user rule resolution';

describe('the rules of several authorizers', () => {
  it.each<[string, RuleResolver[], Partial<UserRules>]>([
    ['nobody', [], {}],
    [
      'two in order',
      [resolver({ resourceRules: [pods], nonResourceRules: [paths] }), resolver({ resourceRules: [nodes] })],
      { resourceRules: [pods, nodes], nonResourceRules: [paths] },
    ],
    [
      'one that cannot list them',
      [incompleteRules('webhook'), resolver({ resourceRules: [pods] })],
      { resourceRules: [pods], incomplete: true, evaluationError: notListed },
    ],
    [
      'several that have something to say, once each',
      [incompleteRules('webhook'), resolver({ evaluationError: 'x' }), incompleteRules('webhook')],
      { incomplete: true, evaluationError: `[${notListed}, x]` },
    ],
    ['one that has no say about the user', [incompleteRules('node', ({ name }) => name === 'other')], {}],
  ])('are those of %s', (_who, resolvers, expected) => {
    expect(new UnionRuleResolver(resolvers).rulesFor(user, 'n')).toEqual(rules(expected));
  });

  it('wait for asynchronous resolvers', async () => {
    const slow: RuleResolver = { rulesFor: async () => rules({ resourceRules: [pods] }) };
    const union = new UnionRuleResolver([slow, resolver({ resourceRules: [nodes] })]);
    expect(await union.rulesFor(user, 'n')).toEqual(rules({ resourceRules: [pods, nodes] }));
  });
});
