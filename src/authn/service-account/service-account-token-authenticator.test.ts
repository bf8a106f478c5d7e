import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import { formatTime } from '../../meta/time.ts';
import { MetricsRegistry } from '../../metrics/index.ts';
import type { TokenUser } from '../token-authenticator.ts';
import { ServiceAccountKeys } from './service-account-keys.ts';
import { ServiceAccountTokenAuthenticator } from './service-account-token-authenticator.ts';
import { TokenIssuer, type TokenSubject } from './token-issuer.ts';

const newKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const issuer = 'https://issuer.example.com';
const minute = 60_000;

/** The objects of a server, its clock and its tokens. */
function world({ now: start = Date.parse('2030-01-01T00:00:00Z') } = {}) {
  const objects = new Map<string, ResourceObject>();
  let now = start;
  const put = (path: string, uid: string, rest: Partial<ResourceObject> = {}): void => {
    const [, namespace = '', name = ''] = path.split('/');
    objects.set(path, { ...rest, metadata: { namespace, name, uid, ...rest.metadata } });
  };
  const keys = new ServiceAccountKeys({ signingKey: newKey() });
  const clock = () => now;
  const issued = new TokenIssuer({ keys, issuer, now: clock, extendExpiration: false });
  const options = {
    keys,
    issuers: [issuer, 'https://before.example.com'],
    audiences: [issuer],
    objects: {
      get: ({ resource }: { resource: string }, { namespace, name }: { namespace: string; name: string }) =>
        objects.get(`${resource}/${namespace}/${name}`),
    },
    now: clock,
  };
  const authenticator = new ServiceAccountTokenAuthenticator(options);
  put('serviceaccounts/shop/cart', 'account');
  const subject: TokenSubject = {
    namespace: 'shop',
    name: 'cart',
    uid: 'account',
    audiences: [issuer],
    expirationSeconds: 3600,
    bound: {},
  };
  return {
    options,
    keys,
    put,
    issuer: issued,
    remove: (path: string) => objects.delete(path),
    pass: (ms: number) => {
      now += ms;
    },
    at: (ms: number) => formatTime(new Date(now + ms)),
    token: (changes: Partial<TokenSubject> = {}) => issued.issue({ ...subject, ...changes }).token,
    authenticate: (token: string, audiences: readonly string[] = [issuer]) =>
      authenticator.authenticateToken(token, audiences) as TokenUser | undefined,
  };
}

type World = ReturnType<typeof world>;
const podBound = { bound: { pod: { name: 'p', uid: 'pod' }, node: { name: 'n', uid: 'node' } } };
const invalidated = 'service account token has been invalidated';

describe('the user of a token', () => {
  it('is the account', () => {
    const { authenticate, token } = world();
    expect(authenticate(token())).toMatchObject({
      user: {
        name: 'system:serviceaccount:shop:cart',
        uid: 'account',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:shop'],
        extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=[\da-f-]{36}$/)] },
      },
      audiences: [issuer],
      expiresAt: Date.parse('2030-01-01T01:01:00Z'),
    });
  });

  it('is the account, its pod and its node', () => {
    const { authenticate, token, put } = world();
    put('pods/shop/p', 'pod');
    const { extra } = authenticate(token(podBound))!.user;
    expect(Object.keys(extra).map((key) => key.split('/')[1])).toEqual([
      'credential-id',
      'node-name',
      'node-uid',
      'pod-name',
      'pod-uid',
    ]);
    expect(extra).toMatchObject({
      'authentication.kubernetes.io/node-name': ['n'],
      'authentication.kubernetes.io/node-uid': ['node'],
      'authentication.kubernetes.io/pod-name': ['p'],
      'authentication.kubernetes.io/pod-uid': ['pod'],
    });
    const nameless = { bound: { pod: { name: 'p', uid: 'pod' }, node: { name: 'n' } } };
    expect(authenticate(token(nameless))!.user.extra).not.toHaveProperty(['authentication.kubernetes.io/node-uid']);
  });

  it('is returned asynchronously when objects are read asynchronously', async () => {
    const { options, token } = world();
    const objects = { get: async (...args: Parameters<typeof options.objects.get>) => options.objects.get(...args) };
    const authenticator = new ServiceAccountTokenAuthenticator({ ...options, objects });
    expect(await authenticator.authenticateToken(token(), [issuer])).toMatchObject({ user: { uid: 'account' } });
    const refused = authenticator.authenticateToken(token({ name: 'gone' }), [issuer]);
    await expect(refused).rejects.toThrow('serviceaccounts "gone" not found');
  });
});

it('tokens of other issuers return undefined', () => {
  const { options, authenticate } = world();
  const other = new TokenIssuer({ keys: options.keys, issuer: 'https://accounts.example.com', now: options.now });
  const subject = {
    namespace: 'shop',
    name: 'cart',
    uid: 'account',
    audiences: [issuer],
    expirationSeconds: 600,
    bound: {},
  };
  expect(authenticate(other.issue(subject).token)).toBeUndefined();
  const before = new TokenIssuer({ keys: options.keys, issuer: 'https://before.example.com', now: options.now });
  expect(authenticate(before.issue(subject).token)).toBeDefined();
});

it.each([[['']], [['://x', issuer]], [[issuer, issuer]]])('invalid issuers are refused: %j', (issuers) => {
  const { options } = world();
  expect(() => new ServiceAccountTokenAuthenticator({ ...options, issuers })).toThrow(/^service-account-issuer /);
});

describe('audiences', () => {
  it.each<[string[], string[], string[]]>([
    [[issuer], [issuer], [issuer]],
    [
      ['a', 'b', 'c'],
      ['c', 'x', 'a'],
      ['a', 'c'],
    ],
    [[issuer], [], [issuer]],
    // A token without audiences is for the API server.
    [[], [issuer], [issuer]],
  ])('a token for %j, asked for %j', (audiences, requested, shared) => {
    const { authenticate, token } = world();
    expect(authenticate(token({ audiences }), requested)?.audiences).toEqual(shared);
  });

  it('refuses others', () => {
    const { authenticate, token } = world();
    expect(() => authenticate(token({ audiences: ['a', 'b'] }), ['zzz', 'y'])).toThrow(
      'token audiences ["a" "b"] is invalid for the target audiences ["zzz" "y"]',
    );
    expect(() => authenticate(token({ audiences: [] }), ['zzz'])).toThrow(
      'is invalid for the target audiences ["zzz"]',
    );
    expect(() => authenticate(token({ audiences: ['a'] }), [])).toThrow(
      `is invalid for the target audiences ["${issuer}"]`,
    );
  });
});

describe('time', () => {
  it('refuses a token a minute after exp', () => {
    const { authenticate, token, pass } = world();
    const held = token({ expirationSeconds: 600 });
    pass(11 * minute);
    expect(authenticate(held)).toBeDefined();
    pass(1);
    expect(() => authenticate(held)).toThrow('service account token has expired');
  });

  it('accepts a token a minute before nbf', () => {
    const { authenticate, token, pass } = world();
    const held = token();
    pass(-minute);
    expect(authenticate(held)).toBeDefined();
    pass(-1);
    expect(() => authenticate(held)).toThrow('service account token is not valid yet');
  });
});

describe('a token is valid as long as its objects', () => {
  it.each<[string, Partial<TokenSubject>, (all: World) => void, string]>([
    ['no account', {}, ({ remove }) => remove('serviceaccounts/shop/cart'), 'serviceaccounts "cart" not found'],
    [
      'another account of the name',
      {},
      ({ put }) => put('serviceaccounts/shop/cart', 'other'),
      'service account UID (other) does not match claim (account)',
    ],
    [
      'an account that has been deleted',
      {},
      ({ put, at }) => put('serviceaccounts/shop/cart', 'account', { metadata: { deletionTimestamp: at(-61_000) } }),
      'service account shop/cart has been deleted',
    ],
    ['no pod', podBound, ({ remove }) => remove('pods/shop/p'), invalidated],
    [
      'another pod of the name',
      podBound,
      ({ put }) => put('pods/shop/p', 'other'),
      'pod UID (other) does not match service account pod ref claim (pod)',
    ],
    [
      'a pod whose time is over',
      podBound,
      ({ put, at }) => put('pods/shop/p', 'pod', { metadata: { deletionTimestamp: at(-61_000) } }),
      invalidated,
    ],
    [
      'no secret',
      { bound: { secret: { name: 's', uid: 'secret' } } },
      ({ remove }) => remove('secrets/shop/s'),
      invalidated,
    ],
    [
      'another secret of the name',
      { bound: { secret: { name: 's', uid: 'secret' } } },
      ({ put }) => put('secrets/shop/s', 'other'),
      'secret UID (other) does not match service account secret ref claim (secret)',
    ],
    ['no node', { bound: { node: { name: 'n', uid: 'node' } } }, ({ remove }) => remove('nodes//n'), invalidated],
    [
      'another node of the name',
      { bound: { node: { name: 'n', uid: 'node' } } },
      ({ put }) => put('nodes//n', 'other'),
      'node UID (other) does not match service account node ref claim (node)',
    ],
  ])('%s', (_what, bound, change, message) => {
    const all = world();
    const { authenticate, token, put } = all;
    put('pods/shop/p', 'pod');
    put('secrets/shop/s', 'secret');
    put('nodes//n', 'node');
    const held = token(bound);
    const known = authenticate(held)!;
    expect(known.isStillValid!()).toBe(true);
    change(all);
    expect(() => authenticate(held)).toThrow(new RegExp(`^${message.replace(/[()]/g, '\\$&')}$`));
    expect(known.isStillValid!()).toBe(false);
  });

  it('the token of a terminating pod is valid until a minute after its deletionTimestamp', () => {
    const { authenticate, token, put, at, pass } = world();
    put('pods/shop/p', 'pod', { metadata: { deletionTimestamp: at(30_000) } });
    const known = authenticate(token(podBound))!;
    pass(90_000);
    expect(known.isStillValid!()).toBe(true);
    pass(1);
    expect(known.isStillValid!()).toBe(false);
  });

  it('an irrelevant change of an object does not invalidate the token', () => {
    const { authenticate, token, put } = world();
    put('pods/shop/p', 'pod');
    const known = authenticate(token(podBound))!;
    put('pods/shop/p', 'pod', { status: { phase: 'Running' } });
    expect(known.isStillValid!()).toBe(true);
    put('serviceaccounts/shop/cart', 'account', { metadata: { labels: { a: 'b' } } });
    expect(known.isStillValid!()).toBe(true);
  });

  it('a pod token does not depend on the node', () => {
    const { authenticate, token, put } = world();
    put('pods/shop/p', 'pod');
    expect(authenticate(token(podBound))!.isStillValid!()).toBe(true);
  });

  it('removing its key invalidates the token', () => {
    const { authenticate, token, keys } = world();
    const held = token();
    const known = authenticate(held)!;
    keys.replaceSigningKey(newKey());
    expect(known.isStillValid!()).toBe(false);
    expect(() => authenticate(held)).toThrow('invalid signature, no keys found');
  });
});

it('counts tokens by their kind', async () => {
  const { options, keys, put, pass, issuer: issues } = world();
  const registry = new MetricsRegistry();
  const authenticator = new ServiceAccountTokenAuthenticator({ ...options, meter: registry });
  const authenticate = (token: string) => authenticator.authenticateToken(token, [issuer]);
  const extending = new TokenIssuer({ keys, issuer, now: options.now, extendExpiration: true });
  put('pods/shop/p', 'pod');
  const held = extending.issue({
    namespace: 'shop',
    name: 'cart',
    uid: 'account',
    audiences: [issuer],
    expirationSeconds: 3607,
    bound: { pod: { name: 'p', uid: 'pod' } },
  }).token;
  const legacy = issues.issueForSecret({ namespace: 'shop', secret: 's', account: { name: 'cart', uid: 'account' } });
  put('secrets/shop/s', 'secret', { data: { token: Buffer.from(legacy).toString('base64') } });
  authenticate(held);
  authenticate(held);
  authenticate(legacy);
  expect(() => authenticator.authenticateToken(held, ['vault'])).toThrow();
  pass(3608 * 1000);
  authenticate(held);
  const text = await registry.render({ isOpenMetrics: false });
  const counts = Object.fromEntries(
    Array.from(text.matchAll(/^serviceaccount_(\w+)_tokens_total (\d+)$/gm), ([, kind, count]) => [
      kind,
      Number(count),
    ]),
  );
  expect(counts).toEqual({ legacy: 1, valid: 2, stale: 1 });
});

describe('a legacy token', () => {
  const account = { name: 'cart', uid: 'account' };
  const held = (token: string) => ({ data: { token: Buffer.from(token).toString('base64') } });

  it('authenticates its account, for the API audiences only', () => {
    const { authenticate, issuer: issues, put } = world();
    const token = issues.issueForSecret({ namespace: 'shop', secret: 's', account });
    put('secrets/shop/s', 'secret', held(token));
    const known = authenticate(token)!;
    expect(known).toMatchObject({
      user: { name: 'system:serviceaccount:shop:cart', uid: 'account', extra: {} },
      audiences: [issuer],
    });
    expect(known).not.toHaveProperty('expiresAt');
    expect(() => authenticate(token, ['vault'])).toThrow('is invalid for the target audiences ["vault"]');
    put('secrets/shop/s', 'secret', { ...held(token), metadata: { labels: { a: 'b' } } });
    expect(known.isStillValid!()).toBe(true);
  });

  it.each<[string, (all: World, token: string) => void, string]>([
    ['is gone with the secret', ({ remove }) => remove('secrets/shop/s'), 'Token has been invalidated'],
    [
      'is gone when the secret is going',
      ({ put, at }, token) => put('secrets/shop/s', 'u', { ...held(token), metadata: { deletionTimestamp: at(0) } }),
      'Token has been invalidated',
    ],
    [
      'is the one that the secret has',
      ({ put }) => put('secrets/shop/s', 'u', held('x')),
      "does not match server's copy",
    ],
    ['is not there', ({ put }) => put('secrets/shop/s', 'u'), "Token does not match server's copy"],
    [
      'is marked',
      ({ put }, token) => {
        const labels = { 'kubernetes.io/legacy-token-invalid-since': '2029-12-31' };
        put('secrets/shop/s', 'u', { ...held(token), metadata: { labels } });
      },
      'the token in secret shop/s has been marked invalid',
    ],
    ['needs its account', ({ remove }) => remove('serviceaccounts/shop/cart'), 'serviceaccounts "cart" not found'],
    [
      'needs that very account',
      ({ put }) => put('serviceaccounts/shop/cart', 'other'),
      'ServiceAccount UID (other) does not match claim (account)',
    ],
    [
      'is gone when the account is going',
      ({ put, at }) => put('serviceaccounts/shop/cart', 'account', { metadata: { deletionTimestamp: at(0) } }),
      'ServiceAccount shop/cart has been deleted',
    ],
  ])('%s', (_what, change, message) => {
    const all = world();
    const token = all.issuer.issueForSecret({ namespace: 'shop', secret: 's', account });
    all.put('secrets/shop/s', 'secret', held(token));
    const known = all.authenticate(token)!;
    change(all, token);
    expect(() => all.authenticate(token)).toThrow(message);
    expect(known.isStillValid!()).toBe(false);
  });
});
