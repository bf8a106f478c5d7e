import 'reflect-metadata';
import { webcrypto, X509Certificate } from 'node:crypto';
import { ExtendedKeyUsage, ExtendedKeyUsageExtension, type JsonName, X509CertificateGenerator } from '@peculiar/x509';
import { beforeAll, describe, expect, it } from 'vitest';
import { StatusError, unauthorized } from '../meta/status-error.ts';
import type { UserInfo } from '../meta/user.ts';
import { AuthenticationChain } from './authentication-chain.ts';
import type { Authenticator, Credentials } from './authenticator.ts';
import { CertificateAuthorities } from './certificate-authorities.ts';
import { ClientCertificateAuthenticator } from './client-certificate.ts';
import type { Peer } from './peer.ts';

const validFrom = new Date('2029-01-01T00:00:00Z');
const validTo = new Date('2030-01-01T00:00:00Z');
const during = Date.parse('2029-06-01T00:00:00Z');

async function certificateFor(
  name: JsonName,
  usages: string[] = [ExtendedKeyUsage.clientAuth],
): Promise<X509Certificate> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    signingAlgorithm: algorithm,
    notBefore: validFrom,
    notAfter: validTo,
    extensions: usages.length > 0 ? [new ExtendedKeyUsageExtension(usages)] : [],
  });
  return new X509Certificate(Buffer.from(certificate.rawData));
}

/** The certificate of jane and its CA, which is valid from April to September. */
async function issuedCertificate(): Promise<{ authority: string; certificate: X509Certificate }> {
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const newKeys = async (): Promise<webcrypto.CryptoKeyPair> =>
    (await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const [keys, { publicKey }] = await Promise.all([newKeys(), newKeys()]);
  const authority = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: ['ca'] }],
    keys,
    signingAlgorithm,
    notBefore: new Date('2029-04-01T00:00:00Z'),
    notAfter: new Date('2029-10-01T00:00:00Z'),
  });
  const certificate = await X509CertificateGenerator.create({
    subject: [{ CN: ['jane'] }],
    issuer: authority.subject,
    publicKey,
    signingKey: keys.privateKey,
    signingAlgorithm,
    notBefore: validFrom,
    notAfter: validTo,
  });
  return { authority: authority.toString(), certificate: new X509Certificate(Buffer.from(certificate.rawData)) };
}

function peer(certificate?: X509Certificate, more: Partial<Peer> = {}): Peer {
  return {
    remoteAddress: '192.0.2.1',
    clientCertificate: certificate,
    clientCertificateTrusted: certificate !== undefined,
    user: undefined,
    secure: true,
    ...more,
  };
}

function credentials(connection: Peer = peer(), headers: Record<string, string> = {}): Credentials {
  return { connection, header: (name) => headers[name], rawHeaders: [], path: '/', warn: () => {}, runAs: () => {} };
}

const refused = expect.objectContaining({ status: expect.objectContaining({ code: 401, message: 'Unauthorized' }) });

function refusalOf(action: () => unknown): unknown {
  try {
    action();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('ClientCertificateAuthenticator', () => {
  /** The certificates sign themselves, so each is its own CA. */
  const trusting = (certificate: X509Certificate | undefined, now: () => number = () => during) =>
    new ClientCertificateAuthenticator({
      authorities: new CertificateAuthorities((certificate ?? other).toString()),
      now,
    });
  let other: X509Certificate;
  beforeAll(async () => {
    other = await certificateFor([{ CN: ['other'] }]);
  });
  const user = (connection: Peer): UserInfo | undefined =>
    trusting(connection.clientCertificate).authenticate(credentials(connection));

  it('maps CN to the name, O to the groups, and adds the fingerprint', async () => {
    const certificate = await certificateFor([{ O: ['system:masters'] }, { O: ['a, b+c=d\\'] }, { CN: ['jané <x>'] }]);
    expect(user(peer(certificate))).toEqual({
      name: 'jané <x>',
      uid: '',
      groups: ['system:masters', 'a, b+c=d\\', 'system:authenticated'],
      extra: {
        'authentication.kubernetes.io/credential-id': [
          `X509SHA256=${certificate.fingerprint256.replaceAll(':', '').toLowerCase()}`,
        ],
      },
    });
  });

  it('uses the last of several CNs, and the uid attribute', async () => {
    const certificate = await certificateFor([
      { CN: ['first'] },
      { CN: ['last'] },
      { '1.3.6.1.4.1.57683.2': ['u-1'], O: ['system:authenticated'] },
    ]);
    expect(user(peer(certificate))).toMatchObject({ name: 'last', uid: 'u-1', groups: ['system:authenticated'] });
  });

  it('returns undefined without a certificate or without a CN', async () => {
    expect(user(peer())).toBeUndefined();
    expect(user(peer(await certificateFor([{ O: ['nobody'] }])))).toBeUndefined();
  });

  it('refuses a certificate that is not trusted', async () => {
    const connection = peer(await certificateFor([{ CN: ['mallory'] }]), { clientCertificateTrusted: false });
    expect(refusalOf(() => user(connection))).toEqual(refused);
    expect(connection.user).toBeUndefined();
  });

  it('refuses a server certificate and accepts one without extended key usage or with any', async () => {
    const forServers = peer(await certificateFor([{ CN: ['web'] }], [ExtendedKeyUsage.serverAuth]));
    expect(refusalOf(() => user(forServers))).toEqual(refused);
    expect(user(peer(await certificateFor([{ CN: ['old'] }], [])))).toMatchObject({ name: 'old' });
    expect(user(peer(await certificateFor([{ CN: ['any'] }], ['2.5.29.37.0'])))).toMatchObject({ name: 'any' });
  });

  it.each([
    ['the certificate has expired', validTo.toISOString()],
    // The clock of a machine may jump back while a connection is open.
    ['the certificate is not valid yet', '2028-12-31T23:59:59Z'],
    ['the CA has expired', '2029-10-01T00:00:00Z'],
    ['the CA is not valid yet', '2029-03-31T23:59:59Z'],
  ])('keeps the user on the connection, except while %s', async (problem, other) => {
    let time = during;
    const own = await certificateFor([{ CN: ['jane'] }]);
    const { authority, certificate } = problem.includes('CA')
      ? await issuedCertificate()
      : { authority: own.toString(), certificate: own };
    const aging = new ClientCertificateAuthenticator({
      authorities: new CertificateAuthorities(authority),
      now: () => time,
    });
    const connection = peer(certificate);
    const first = aging.authenticate(credentials(connection));
    expect(first).toMatchObject({ name: 'jane' });
    expect(aging.authenticate(credentials(connection))).toBe(first);
    time = Date.parse(other);
    expect(refusalOf(() => aging.authenticate(credentials(connection)))).toEqual(refused);
    expect(refusalOf(() => aging.authenticate(credentials(peer(certificate))))).toEqual(refused);
    expect(connection.user).toBeUndefined();
    time = during;
    expect(aging.authenticate(credentials(connection))).toEqual(first);
  });

  it('drops the user when the CA is no longer trusted', async () => {
    const certificate = await certificateFor([{ CN: ['jane'] }]);
    const authorities = new CertificateAuthorities(certificate.toString());
    const authenticator = new ClientCertificateAuthenticator({ authorities, now: () => during });
    const connection = peer(certificate);
    expect(authenticator.authenticate(credentials(connection))).toMatchObject({ name: 'jane' });
    authorities.replace(other.toString());
    expect(refusalOf(() => authenticator.authenticate(credentials(connection)))).toEqual(refused);
    authorities.replace(`${other}\n${certificate}`);
    expect(authenticator.authenticate(credentials(connection))).toMatchObject({ name: 'jane' });
    expect(() => authorities.replace('-----BEGIN NONSENSE-----')).toThrow(RangeError);
    expect(authenticator.authenticate(credentials(connection))).toMatchObject({ name: 'jane' });
  });

  it('returns the user that the connection already has', () => {
    const internal = { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} };
    expect(user(peer(undefined, { user: internal }))).toBe(internal);
  });
});

describe('AuthenticationChain', () => {
  const jane: UserInfo = { name: 'jane', uid: '', groups: [], extra: {} };
  const knows: Authenticator = { authenticate: () => jane };
  const knowsLater: Authenticator = { authenticate: async () => jane };
  const ignores: Authenticator = { authenticate: () => undefined };
  const ignoresLater: Authenticator = { authenticate: async () => undefined };
  const refuses: Authenticator = {
    authenticate: () => {
      throw unauthorized();
    },
  };
  const refusesLater: Authenticator = { authenticate: () => Promise.reject(unauthorized()) };
  const authenticate = (...authenticators: Authenticator[]) =>
    new AuthenticationChain(authenticators).authenticate(credentials());

  it('returns the first user synchronously', () => {
    expect(authenticate(ignores, knows, refuses)).toBe(jane);
  });

  it('waits for asynchronous authenticators', async () => {
    expect(await authenticate(ignoresLater, refusesLater, ignores, knowsLater)).toBe(jane);
    await expect(authenticate(ignoresLater, refuses)).rejects.toEqual(refused);
  });

  it('prefers a valid credential over an invalid one in any order', () => {
    expect(authenticate(refuses, knows)).toBe(jane);
    expect(authenticate(knows, refuses)).toBe(jane);
  });

  it('throws 401 when no authenticator finds a user', () => {
    expect(refusalOf(() => authenticate())).toEqual(refused);
    expect(refusalOf(() => authenticate(ignores))).toBeInstanceOf(StatusError);
    expect(refusalOf(() => authenticate(refuses, ignores))).toEqual(refused);
  });

  it('rethrows errors other than 401', async () => {
    const broken: Authenticator = {
      authenticate: () => {
        throw new Error('out of order');
      },
    };
    expect(refusalOf(() => authenticate(broken, knows))).toEqual(new Error('out of order'));
    const brokenLater: Authenticator = { authenticate: () => Promise.reject(new Error('out of order')) };
    await expect(authenticate(brokenLater, knows)).rejects.toThrow('out of order');
  });
});
