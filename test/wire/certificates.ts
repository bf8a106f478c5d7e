import 'reflect-metadata';
import { createPrivateKey, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  type Extension,
  SubjectAlternativeNameExtension,
  X509Certificate,
  type X509CertificateCreateParamsName,
  X509CertificateGenerator,
} from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A certificate and its private key in PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Creates a CA for tests. */
export function createAuthority(name: string): Promise<KeyPair> {
  return create({ subject: [{ CN: [name] }], extensions: [new BasicConstraintsExtension(true, undefined, true)] });
}

/** Issues a certificate for a client. The common name is the user. */
export function issueClient(authority: KeyPair, user: string, groups: readonly string[] = []): Promise<KeyPair> {
  return create({ subject: [...groups.map((group) => ({ O: [group] })), { CN: [user] }], authority });
}

/** Issues a certificate for a server at an address, which is an IP address or a DNS name. */
export function issueServer(authority: KeyPair, address: string): Promise<KeyPair> {
  const type = isIP(address) === 0 ? 'dns' : 'ip';
  const extensions = [new SubjectAlternativeNameExtension([{ type, value: address }])];
  return create({ subject: [{ CN: ['server'] }], extensions, authority });
}

export interface UnusualCertificate {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  /** The extended key usages, as OIDs. */
  readonly usages?: string[];
  readonly isAuthority?: boolean;
}

/**
 * Issues a certificate that usual clients do not have. Callers that need a chain must append the certificates of the
 * issuers.
 */
export function issueUnusual(authority: KeyPair, unusual: UnusualCertificate): Promise<KeyPair> {
  const { user, groups = [], usages, isAuthority, ...validity } = unusual;
  const extensions = [
    ...(usages === undefined ? [] : [new ExtendedKeyUsageExtension(usages)]),
    ...(isAuthority === undefined ? [] : [new BasicConstraintsExtension(isAuthority, undefined, true)]),
  ];
  return create({
    subject: [...groups.map((group) => ({ O: [group] })), { CN: [user] }],
    extensions,
    authority,
    ...validity,
  });
}

interface Request {
  readonly subject: X509CertificateCreateParamsName;
  readonly extensions?: Extension[];
  /** Without an authority, the certificate is self-signed. */
  readonly authority?: KeyPair;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

async function create({ subject, extensions = [], authority, ...validity }: Request): Promise<KeyPair> {
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const certificate = await X509CertificateGenerator.create({
    subject,
    issuer: authority === undefined ? subject : new X509Certificate(authority.cert).subjectName,
    // The clocks of libraries may be slightly behind.
    notBefore: new Date(Date.now() - 60_000),
    ...validity,
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: authority === undefined ? keys.privateKey : await signingKey(authority),
    extensions,
  });
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`;
  return { cert: certificate.toString('pem'), key };
}

function signingKey({ key }: KeyPair): Promise<webcrypto.CryptoKey> {
  const der = createPrivateKey(key).export({ type: 'pkcs8', format: 'der' });
  return webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
}
