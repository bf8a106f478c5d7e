import { expect, it } from 'vitest';
import { unauthorized } from '../meta/status-error.ts';
import { AnonymousAuthenticator } from './anonymous.ts';
import { AuthenticationChain } from './authentication-chain.ts';
import type { Authenticator, Credentials } from './authenticator.ts';

const anonymousUser = { name: 'system:anonymous', uid: '', groups: ['system:unauthenticated'], extra: {} };

function at(path: string): Credentials {
  const connection = {
    remoteAddress: '192.0.2.1',
    clientCertificate: undefined,
    clientCertificateTrusted: false,
    user: undefined,
    secure: true,
  };
  return { connection, header: () => undefined, rawHeaders: [], path, warn: () => {}, runAs: () => {} };
}

const ignores: Authenticator = { authenticate: () => undefined };
const refuses: Authenticator = {
  authenticate: () => {
    throw unauthorized();
  },
};
const refusesLater: Authenticator = { authenticate: () => Promise.reject(unauthorized()) };
const ignoresLater: Authenticator = { authenticate: async () => undefined };
const refused = expect.objectContaining({ status: expect.objectContaining({ code: 401 }) });
const everywhere = new AnonymousAuthenticator();

const authenticate = async (...authenticators: Authenticator[]) =>
  new AuthenticationChain(authenticators).authenticate(at('/healthz'));

it('accepts requests without credentials', async () => {
  expect(await authenticate(ignores, everywhere)).toEqual(anonymousUser);
  expect(await authenticate(ignoresLater, ignores, everywhere)).toEqual(anonymousUser);
});

it.each([
  ['at once', [refuses, ignores]],
  ['later', [refusesLater, ignores]],
  ['before one that needs time', [refuses, ignoresLater]],
  ['after one that needs time', [ignoresLater, refuses]],
  ['behind the anonymous one', [refuses, everywhere, ignores]],
])('never takes whoever shows a bad credential, refused %s', async (_name, authenticators) => {
  await expect(authenticate(...authenticators, everywhere)).rejects.toEqual(refused);
});

it('accepts them on the configured paths only', () => {
  const some = new AnonymousAuthenticator({ conditions: [{ path: '/healthz' }, { path: '/livez' }] });
  expect(some.authenticate(at('/livez'))).toEqual(anonymousUser);
  for (const path of ['/', '/livez/', '/livez/ping', '/Livez', '/api']) {
    expect(some.authenticate(at(path))).toBeUndefined();
  }
  expect(new AnonymousAuthenticator({ conditions: [] }).authenticate(at('/api'))).toEqual(anonymousUser);
});
