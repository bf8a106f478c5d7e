import { describe, expect, it } from 'vitest';
import type { UserInfo } from '../meta/user.ts';
import { type TokenAuthenticator, TokenError, type TokenUser } from './token-authenticator.ts';
import { TokenChain, type TokenChainOptions, type TokenOutcome } from './token-chain.ts';

const jane: UserInfo = { name: 'jane', uid: 'u', groups: ['dev'], extra: {} };
const janeAuthenticated = { ...jane, groups: ['dev', 'system:authenticated'] };

interface Counted extends TokenAuthenticator {
  calls: number;
}

/** Accepts one token: `good`. */
function knows(more: Partial<TokenUser> = {}): Counted {
  return {
    calls: 0,
    authenticateToken(token) {
      this.calls++;
      return token === 'good' ? { user: jane, ...more } : undefined;
    },
  };
}

function later(authenticator: TokenAuthenticator): TokenAuthenticator {
  return { authenticateToken: async (token, audiences) => authenticator.authenticateToken(token, audiences) };
}

function refuses(error: Error): TokenAuthenticator {
  return {
    authenticateToken: () => {
      throw error;
    },
  };
}

function chain(authenticators: TokenAuthenticator[], options: Partial<TokenChainOptions> = {}): TokenChain {
  return new TokenChain(authenticators, { audiences: ['api', 'other'], ...options });
}

describe('TokenChain', () => {
  it('returns the first user synchronously and adds system:authenticated', () => {
    const outcome = chain([refuses(new TokenError('no')), knows(), refuses(new Error('not asked'))]).authenticate(
      'good',
    );
    expect(outcome).toEqual({ user: janeAuthenticated, audiences: ['api', 'other'] });
  });

  it('waits for asynchronous authenticators', async () => {
    const refusing = later(refuses(new TokenError('no')));
    expect(await chain([later(knows()), knows()]).authenticate('good')).toMatchObject({ user: janeAuthenticated });
    expect(await chain([refusing, knows()]).authenticate('good')).toMatchObject({ user: janeAuthenticated });
    expect(await chain([refusing, later(knows())]).authenticate('bad')).toEqual({
      error: '[invalid bearer token, no]',
    });
  });

  it.each<[name: string, errors: string[], text: string]>([
    ['nobody knows it', [], 'invalid bearer token'],
    ['one says why', ['expired'], '[invalid bearer token, expired]'],
    ['several say why', ['a', 'b', 'a'], '[invalid bearer token, a, b]'],
    ['one says the same', ['invalid bearer token'], 'invalid bearer token'],
  ])('says why a token does not hold: %s', (_name, errors, text) => {
    const authenticators = errors.map((error) => refuses(new TokenError(error)));
    expect(chain([knows(), ...authenticators]).authenticate('bad')).toEqual({ error: text });
  });

  it('reports faults and refuses the token', () => {
    const faults: unknown[] = [];
    const fault = new Error('out of order');
    const tokens = chain([refuses(fault), knows()], { onFault: (error) => faults.push(error) });
    expect(tokens.authenticate('bad')).toEqual({ error: '[invalid bearer token, out of order]' });
    expect(tokens.authenticate('good')).toMatchObject({ user: janeAuthenticated });
    expect(faults).toEqual([fault, fault]);
  });

  it.each<[of: string[] | undefined, wanted: string[], got: string[] | undefined]>([
    [undefined, [], ['api', 'other']],
    [undefined, ['other', 'x'], ['other']],
    [undefined, ['x'], undefined],
    [['x', 'api'], [], ['api']],
    [['x', 'y'], ['y', 'z'], ['y']],
    [['x'], [], undefined],
    [[], [], undefined],
  ])('for a token of %j, asked for %j, answers %j', (of, wanted, got) => {
    const outcome = chain([knows({ audiences: of })]).authenticate('good', wanted);
    if (got === undefined) expect(outcome).toEqual({ error: 'invalid bearer token' });
    else expect(outcome).toMatchObject({ audiences: got });
  });

  it('requests no audience when the server has none', () => {
    expect(chain([knows()], { audiences: [] }).authenticate('good')).toMatchObject({ audiences: [] });
    expect(chain([knows()], { audiences: [] }).authenticate('good', ['x'])).toMatchObject({ error: expect.anything() });
  });
});

describe('the cache of a TokenChain', () => {
  const userOf = (outcome: TokenOutcome | Promise<TokenOutcome>): unknown => 'user' in outcome && outcome.user;

  it('returns the same object for ten seconds, synchronously', async () => {
    let time = 0;
    const authenticator = knows();
    const tokens = chain([later(authenticator)], { now: () => time });
    const first = await tokens.authenticate('good');
    time = 9_999;
    expect(tokens.authenticate('good')).toBe(first);
    expect(authenticator.calls).toBe(1);
    time = 10_000;
    const second = await tokens.authenticate('good');
    expect(authenticator.calls).toBe(2);
    // The authorizers use this object as a cache key.
    expect(userOf(second)).toBe(userOf(first));
  });

  it('does not keep refusals', () => {
    const authenticator = knows();
    const tokens = chain([authenticator]);
    tokens.authenticate('bad');
    tokens.authenticate('bad');
    expect(authenticator.calls).toBe(2);
  });

  it('is keyed by token and audiences', () => {
    const authenticator = knows();
    const tokens = chain([authenticator]);
    for (const audiences of [[], ['api'], ['other'], ['api', 'other']]) {
      expect(tokens.authenticate('good', audiences)).toBe(tokens.authenticate('good', audiences));
    }
    expect(authenticator.calls).toBe(4);
    expect(tokens.authenticate('good ')).toMatchObject({ error: expect.anything() });
  });

  it('drops expired tokens', () => {
    let time = 0;
    const authenticator = knows({ expiresAt: 500 });
    const tokens = chain([authenticator], { now: () => time });
    tokens.authenticate('good');
    time = 499;
    tokens.authenticate('good');
    expect(authenticator.calls).toBe(1);
    time = 500;
    tokens.authenticate('good');
    expect(authenticator.calls).toBe(2);
  });

  it('drops tokens whose bound object is deleted', () => {
    let isThere = true;
    const bound: TokenAuthenticator = {
      authenticateToken() {
        if (!isThere) throw new TokenError('gone');
        return { user: jane, isStillValid: () => isThere };
      },
    };
    const tokens = chain([bound]);
    expect(tokens.authenticate('good')).toBe(tokens.authenticate('good'));
    isThere = false;
    expect(tokens.authenticate('good')).toEqual({ error: '[invalid bearer token, gone]' });
  });

  it('holds at most ten thousand entries', () => {
    const authenticator: Counted = {
      calls: 0,
      authenticateToken() {
        this.calls++;
        return { user: jane };
      },
    };
    const tokens = chain([authenticator], { now: () => 0 });
    for (let number = 0; number <= 10_000; number++) tokens.authenticate(String(number));
    tokens.authenticate('10000');
    expect(authenticator.calls).toBe(10_001);
    tokens.authenticate('0');
    expect(authenticator.calls).toBe(10_002);
  });

  it('drops all entries and pending lookups on clear', async () => {
    const resolvers: ((found: TokenUser) => void)[] = [];
    const slow: TokenAuthenticator = { authenticateToken: () => new Promise((resolve) => resolvers.push(resolve)) };
    const tokens = chain([slow]);
    const first = tokens.authenticate('good');
    expect(tokens.authenticate('good')).toBe(first);
    tokens.clear();
    const second = tokens.authenticate('good');
    expect(second).not.toBe(first);
    resolvers[0]!({ user: jane });
    await first;
    expect(tokens.authenticate('good')).toBe(second);
    resolvers[1]!({ user: jane });
    await second;
    expect(tokens.authenticate('good')).not.toBeInstanceOf(Promise);
    expect(resolvers).toHaveLength(2);
  });
});

it.each<[jump: string, wall: number, monotonic: number]>([
  ['jumps back to before the token is valid', -1, 1],
  ['jumps ahead to after the token is valid', 500, 1],
  ['stands still for longer than results are cached', 100, 10_000],
])('a cached token is checked again when the time of day %s', async (_jump, wall, monotonic) => {
  const clock = { wall: 100, monotonic: 0 };
  // A token that is valid from 0 to 500.
  const checked: number[] = [];
  const authenticator: TokenAuthenticator = {
    authenticateToken: () => {
      checked.push(clock.wall);
      if (clock.wall < 0 || clock.wall >= 500) throw new TokenError('not valid now');
      return { user: jane, expiresAt: 500 };
    },
  };
  const tokens = chain([authenticator], { now: () => clock.wall, monotonic: () => clock.monotonic });
  expect(tokens.authenticate('good')).toMatchObject({ user: janeAuthenticated });
  expect(tokens.authenticate('good')).toMatchObject({ user: janeAuthenticated });
  Object.assign(clock, { wall, monotonic });
  const outcome = await tokens.authenticate('good');
  expect('error' in outcome).toBe(wall !== 100);
  expect(checked).toEqual([100, wall]);
});
