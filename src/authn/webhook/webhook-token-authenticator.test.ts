import { describe, expect, it, onTestFinished } from 'vitest';
import { JsonEndpoint } from '../../client/index.ts';
import {
  failing,
  type JsonServer,
  startJsonServer,
  type TestResponse,
} from '../../client/test-json-server.conformance.ts';
import { TokenError } from '../token-authenticator.ts';
import { WebhookTokenAuthenticator, type WebhookTokenOptions } from './webhook-token-authenticator.ts';

const jane = { username: 'jane', uid: 'u-1', groups: ['dev'], extra: { 'a/b': ['x', 'y'] } };

function review(status: unknown, version = 'v1'): TestResponse {
  return { apiVersion: `authentication.k8s.io/${version}`, kind: 'TokenReview', status };
}

const yes = review({ authenticated: true, user: jane });

function authenticator(server: JsonServer, options: Partial<WebhookTokenOptions> = {}): WebhookTokenAuthenticator {
  const endpoint = new JsonEndpoint(server.access(), { firstPauseMs: 1 });
  onTestFinished(() => endpoint.close());
  return new WebhookTokenAuthenticator({ endpoint, version: 'v1', audiences: ['api'], ...options });
}

describe('WebhookTokenAuthenticator', () => {
  it.each(['v1', 'v1beta1'] as const)(
    'sends a TokenReview of %s and reads the user from the response',
    async (version) => {
      const server = await startJsonServer({ responses: [review({ authenticated: true, user: jane }, version)] });
      expect(await authenticator(server, { version }).authenticateToken('tok', ['api', 'x'])).toEqual({
        user: { name: 'jane', uid: 'u-1', groups: ['dev'], extra: { 'a/b': ['x', 'y'] } },
        audiences: ['api'],
      });
      expect(server.seen[0]!.body).toEqual({
        kind: 'TokenReview',
        apiVersion: `authentication.k8s.io/${version}`,
        metadata: {},
        spec: { token: 'tok', audiences: ['api', 'x'] },
      });
    },
  );

  it.each<[name: string, status: object, wanted: string[], expected: string[] | undefined]>([
    ['the response names none', { audiences: [] }, ['api', 'x'], ['api']],
    ['the response names some', { audiences: ['x', 'y'] }, ['api', 'x'], ['x']],
    ['the response names others', { audiences: ['y'] }, ['api'], undefined],
    ['the server has others', {}, ['x'], undefined],
    ['none are requested', {}, [], []],
  ])('checks audiences: %s', async (_name, status, wanted, expected) => {
    const server = await startJsonServer({ responses: [review({ authenticated: true, user: jane, ...status })] });
    const found = await authenticator(server).authenticateToken('tok', wanted);
    expect(found?.audiences).toEqual(expected);
  });

  it.each<[name: string, response: TestResponse, problem: string | undefined]>([
    ['no', review({ authenticated: false }), undefined],
    ['no status', review(undefined), undefined],
    ['an empty object', {}, undefined],
    ['no groups', review({ authenticated: true, user: { username: 'jane', groups: null, extra: null } }), 'jane'],
    ['no user', review({ authenticated: true }), 'status.user.username must not be empty'],
    [
      'another kind',
      { kind: 'SubjectAccessReview', status: {} },
      'the response must be a TokenReview of "authentication.k8s.io/v1"',
    ],
    ['another version', review({}, 'v1beta1'), 'the response must be a TokenReview of "authentication.k8s.io/v1"'],
    ['a list', [], 'the response must be an object'],
    ['status of a wrong type', review('yes'), 'status must be an object'],
    [
      'authenticated of a wrong type',
      review({ authenticated: 'true', user: jane }),
      'status.authenticated must be true or false',
    ],
    [
      'groups of a wrong type',
      review({ authenticated: true, user: { username: 'jane', groups: 'dev' } }),
      'status.user.groups must be a list of strings',
    ],
    [
      'extra of a wrong type',
      review({ authenticated: true, user: { username: 'jane', extra: { a: 'x' } } }),
      'status.user.extra must be an object of lists of strings',
    ],
  ])('validates the response: %s', async (_name, response, problem) => {
    const server = await startJsonServer({ responses: [response] });
    const outcome = authenticator(server).authenticateToken('secret-token', ['api']);
    if (problem === undefined) expect(await outcome).toBeUndefined();
    else if (problem === 'jane') expect((await outcome)?.user).toMatchObject({ name: 'jane', groups: [], extra: {} });
    else await expect(outcome).rejects.toThrow(new Error(`webhook ${server.url.origin}/review: ${problem}`));
  });

  it('refuses a token with the error of the response', async () => {
    const server = await startJsonServer({ responses: [review({ authenticated: false, error: 'expired' })] });
    const outcome = authenticator(server).authenticateToken('tok', ['api']);
    await expect(outcome).rejects.toEqual(new TokenError('expired'));
    await expect(outcome).rejects.toBeInstanceOf(TokenError);
  });

  it('retries after a failure and reports a missing response', async () => {
    const server = await startJsonServer({ responses: [failing(500), yes] });
    const tokens = authenticator(server);
    expect((await tokens.authenticateToken('tok', ['api']))?.user.name).toBe('jane');
    await server.stop();
    await expect(tokens.authenticateToken('other', ['api'])).rejects.toThrow(/ECONN|hang up/);
  });
});

describe('the response cache', () => {
  it('keeps positive and negative responses for two minutes', async () => {
    let time = 0;
    const server = await startJsonServer({ responses: [yes, review({ authenticated: false }), yes] });
    const tokens = authenticator(server, { now: () => time });
    const first = await tokens.authenticateToken('a', ['api']);
    expect(await tokens.authenticateToken('b', ['api'])).toBeUndefined();
    time = 119_999;
    // The cached result is returned synchronously and is the same object.
    expect(tokens.authenticateToken('a', ['api'])).toBe(first);
    expect(tokens.authenticateToken('b', ['api'])).toBeUndefined();
    expect(server.seen).toHaveLength(2);
    time = 120_000;
    await tokens.authenticateToken('a', ['api']);
    expect(server.seen).toHaveLength(3);
  });

  it('does not keep errors', async () => {
    const server = await startJsonServer({ responses: [failing(400), review({ error: 'busy' }), yes] });
    const tokens = authenticator(server);
    await expect(tokens.authenticateToken('a', ['api'])).rejects.toThrow('status 400');
    await expect(tokens.authenticateToken('a', ['api'])).rejects.toThrow('busy');
    expect(await tokens.authenticateToken('a', ['api'])).toBeDefined();
  });

  it('is keyed by token and audiences, and disabled by a TTL of 0', async () => {
    const server = await startJsonServer({ responses: [yes] });
    const tokens = authenticator(server);
    for (const audiences of [['api'], ['api', 'x'], [], ['api']]) await tokens.authenticateToken('a', audiences);
    expect(server.seen).toHaveLength(3);
    const forgetful = authenticator(server, { cacheMs: 0 });
    await forgetful.authenticateToken('a', ['api']);
    await forgetful.authenticateToken('a', ['api']);
    expect(server.seen).toHaveLength(5);
  });

  it('shares one request between concurrent lookups', async () => {
    const server = await startJsonServer({ responses: [yes] });
    const tokens = authenticator(server);
    const tokenUsers = await Promise.all([1, 2, 3].map(() => tokens.authenticateToken('a', ['api'])));
    expect(new Set(tokenUsers).size).toBe(1);
    expect(server.seen).toHaveLength(1);
  });
});
