import 'reflect-metadata';
import { webcrypto, X509Certificate } from 'node:crypto';
import { X509CertificateGenerator } from '@peculiar/x509';
import { beforeAll, expect, it } from 'vitest';
import { StatusError } from '../meta/status-error.ts';
import type { UserInfo } from '../meta/user.ts';
import { CertificateAuthorities } from './certificate-authorities.ts';
import { FrontProxyAuthenticator, type FrontProxyOptions } from './front-proxy.ts';
import type { Peer } from './peer.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Signs itself, so that it is its own CA. */
async function certificateOf(name: string): Promise<X509Certificate> {
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const made = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [name] }],
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date('2029-01-01T00:00:00Z'),
    notAfter: new Date('2030-01-01T00:00:00Z'),
  });
  return new X509Certificate(Buffer.from(made.rawData));
}

let proxy: X509Certificate;
let client: X509Certificate;
beforeAll(async () => {
  proxy = await certificateOf('front');
  client = await certificateOf('jane');
});

interface TestRequest {
  readonly headers?: readonly string[];
  readonly certificate?: X509Certificate | undefined;
  readonly trusted?: boolean;
  readonly options?: Partial<FrontProxyOptions>;
}

function authenticator(options: Partial<FrontProxyOptions> = {}): FrontProxyAuthenticator {
  return new FrontProxyAuthenticator({
    authorities: new CertificateAuthorities(proxy.toString()),
    allowedNames: [],
    usernameHeaders: ['X-Remote-User', 'X-Other-User'],
    groupHeaders: ['X-Remote-Group'],
    uidHeaders: ['X-Remote-Uid'],
    extraHeaderPrefixes: ['X-Remote-Extra-'],
    now: () => Date.parse('2029-06-01T00:00:00Z'),
    ...options,
  });
}

function peer(certificate: X509Certificate | undefined, trusted = true): Peer {
  return {
    remoteAddress: '192.0.2.1',
    clientCertificate: certificate,
    clientCertificateTrusted: trusted && certificate !== undefined,
    user: undefined,
    secure: true,
  };
}

/** The user, undefined for no credential, or `refused`. */
function authenticate(
  request: TestRequest,
  connection = peer('certificate' in request ? request.certificate : proxy, request.trusted),
  used = authenticator(request.options),
): UserInfo | undefined | 'refused' {
  const { headers = ['X-Remote-User', 'bob'] } = request;
  try {
    return used.authenticate({
      connection,
      rawHeaders: headers,
      header: () => undefined,
      path: '/',
      warn: () => {},
      runAs: () => {},
    });
  } catch (error) {
    if (error instanceof StatusError && error.status.code === 401) return 'refused';
    throw error;
  }
}

it('reads user, groups, uid and extra from the headers of a proxy', () => {
  const headers = [
    ...['x-remote-user', 'bob, the builder', 'X-REMOTE-GROUP', 'a,b', 'X-Remote-Group', 'c', 'X-Remote-Uid', '7'],
    ...['X-Remote-Extra-Acme.com%2FProject', 'p', 'X-Remote-Extra-__proto__', 'q', 'X-Remote-User', 'second'],
  ];
  const user = authenticate({ headers }) as UserInfo;
  expect(user).toMatchObject({ name: 'bob, the builder', uid: '7', groups: ['a,b', 'c', 'system:authenticated'] });
  expect(Object.entries(user.extra)).toEqual([
    ['acme.com/project', ['p']],
    ['__proto__', ['q']],
  ]);
});

it('tries the username headers in order', () => {
  expect(authenticate({ headers: ['X-Other-User', 'ann'] })).toMatchObject({ name: 'ann' });
  expect(authenticate({ headers: ['X-Remote-User', '', 'X-Other-User', 'ann'] })).toMatchObject({ name: 'ann' });
  expect(authenticate({ headers: ['X-Remote-Group', 'system:masters'] })).toBeUndefined();
});

it.each<[string, () => TestRequest, unknown]>([
  ['nobody without a certificate', () => ({ certificate: undefined }), undefined],
  ['somebody with the certificate of a user', () => ({ certificate: client }), 'refused'],
  ['somebody whose certificate did not hold in the handshake', () => ({ trusted: false }), 'refused'],
  ['a proxy of another name', () => ({ options: { allowedNames: ['back'] } }), 'refused'],
  ['a proxy whose certificate has expired', () => ({ options: { now: () => Date.parse('2031-01-01') } }), 'refused'],
])('does not take the word of %s', (_who, request, expected) => {
  expect(authenticate(request())).toBe(expected);
});

it('accepts a proxy with an allowed name', () => {
  expect(authenticate({ options: { allowedNames: ['back', 'front'] } })).toMatchObject({ name: 'bob' });
});

it.each([
  ['has expired', '2030-01-01T00:00:00Z'],
  ['is not valid yet, after the clock has jumped back', '2028-12-31T23:59:59Z'],
])('refuses a proxy on an open connection whose certificate %s', (_problem, time) => {
  const during = '2029-06-01T00:00:00Z';
  let now = during;
  const used = authenticator({ now: () => Date.parse(now) });
  const connection = peer(proxy);
  expect(authenticate({}, connection, used)).toMatchObject({ name: 'bob' });
  now = time;
  expect(authenticate({}, connection, used)).toBe('refused');
  now = during;
  expect(authenticate({}, connection, used)).toMatchObject({ name: 'bob' });
});
