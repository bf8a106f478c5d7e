import { expect, it } from 'vitest';
import { alwaysAllow, alwaysDeny } from './always.ts';

const user = { name: 'jane', uid: '', groups: [], extra: {} };
const attributes = { user, verb: 'get', path: '/' };

it('allows everything, or nothing', () => {
  expect(alwaysAllow.authorize(attributes)).toEqual({ decision: 'allow', reason: '' });
  expect(alwaysAllow.rulesFor(user, 'a')).toEqual({
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
    evaluationError: '',
  });
  expect(alwaysDeny.authorize(attributes)).toEqual({ decision: 'no-opinion', reason: 'Everything is forbidden.' });
  expect(alwaysDeny.rulesFor(user, 'a')).toMatchObject({ resourceRules: [], nonResourceRules: [], incomplete: false });
});
