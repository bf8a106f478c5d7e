import { describe, expect, it } from 'vitest';
import { AuthorizationChain } from './authorization-chain.ts';
import type { Authorizer, Decision } from './authorizer.ts';
import { mastersAuthorizer } from './masters.ts';

const user = { name: 'jane', uid: '', groups: ['dev'], extra: {} };
const attributes = { user, verb: 'get', path: '/version' };

function says(decision: Decision['decision'], reason = ''): Authorizer {
  return { authorize: () => ({ decision, reason }) };
}

function saysLater(decision: Decision['decision'], reason = ''): Authorizer {
  return { authorize: async () => ({ decision, reason }) };
}

describe('AuthorizationChain', () => {
  it('returns the first allow or deny', () => {
    const chain = new AuthorizationChain([says('no-opinion'), says('deny', 'no'), says('allow')]);
    expect(chain.authorize(attributes)).toEqual({ decision: 'deny', reason: 'no' });
  });

  it('joins the reasons when no authorizer decides', () => {
    const chain = new AuthorizationChain([says('no-opinion', 'a'), says('no-opinion'), says('no-opinion', 'b')]);
    expect(chain.authorize(attributes)).toEqual({ decision: 'no-opinion', reason: 'a\nb' });
  });

  it('waits for asynchronous authorizers and keeps the order', async () => {
    const chain = new AuthorizationChain([
      says('no-opinion', 'a'),
      saysLater('no-opinion', 'b'),
      says('no-opinion', 'c'),
    ]);
    expect(await chain.authorize(attributes)).toEqual({ decision: 'no-opinion', reason: 'a\nb\nc' });
    const allowing = new AuthorizationChain([saysLater('allow', 'yes'), says('deny')]);
    expect(await allowing.authorize(attributes)).toEqual({ decision: 'allow', reason: 'yes' });
  });

  const fails = (text: string, reason = ''): Authorizer => ({
    authorize: () => ({ decision: 'no-opinion', reason, error: new Error(text) }),
  });
  const failsLater = (text: string): Authorizer => ({
    authorize: async () => ({ decision: 'no-opinion', reason: '', error: new Error(text) }),
  });

  it('collects errors until an authorizer decides', async () => {
    expect(new AuthorizationChain([fails('a'), says('allow')]).authorize(attributes)).toEqual({
      decision: 'allow',
      reason: '',
    });
    expect(new AuthorizationChain([fails('a', 'b'), says('no-opinion', 'c')]).authorize(attributes)).toEqual({
      decision: 'no-opinion',
      reason: 'b\nc',
      error: new Error('a'),
    });
    const several = new AuthorizationChain([
      fails('a'),
      says('no-opinion', 'r'),
      failsLater('b'),
      fails('a'),
      fails('c'),
    ]);
    const { error, reason } = await several.authorize(attributes);
    expect(error?.message).toBe('[a, b, c]');
    expect(reason).toBe('r');
  });

  it('returns the error of the deciding authorizer', () => {
    const denies: Authorizer = { authorize: () => ({ decision: 'deny', reason: '', error: new Error('x') }) };
    expect(new AuthorizationChain([fails('a'), denies, says('allow')]).authorize(attributes)).toEqual({
      decision: 'deny',
      reason: '',
      error: new Error('x'),
    });
  });
});

describe('mastersAuthorizer', () => {
  it('allows members of system:masters and has no opinion on others', () => {
    const chain = new AuthorizationChain([mastersAuthorizer, says('deny')]);
    expect(chain.authorize(attributes)).toMatchObject({ decision: 'deny' });
    const master = { ...user, groups: ['system:masters', 'system:authenticated'] };
    expect(chain.authorize({ ...attributes, user: master })).toMatchObject({ decision: 'allow' });
  });
});
