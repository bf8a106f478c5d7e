import 'reflect-metadata';
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import * as library from '@peculiar/x509';
import { describe, expect, it } from 'vitest';
import { CertificateAuthority } from './certificate-authority.ts';

const now = new Date('2026-05-06T07:08:09Z');
const hosts = ['localhost', '127.0.0.1', '::1', '2001:db8::5', 'fe80::ffff:10.1.2.3', 'api.example.com'];
const subject = [
  { type: 'O', value: 'a team' },
  { type: 'CN', value: 'Jürgen, "the" admin' },
] as const;

/** An independent library parses everything that the tested code encodes. */
describe('CertificateAuthority', () => {
  const authority = CertificateAuthority.create(now);
  const ca = new library.X509Certificate(authority.pair.cert);
  const leaf = new library.X509Certificate(authority.issue({ subject, usage: 'server', hosts }).cert);

  it('creates a CA that may sign certificates', async () => {
    expect(await ca.verify({ publicKey: ca.publicKey, signatureOnly: true })).toBe(true);
    expect(ca.subject).toBe(`CN=keelson-ca@${now.getTime() / 1000}`);
    expect(ca.issuer).toBe(ca.subject);
    expect(ca.getExtension(library.BasicConstraintsExtension)).toMatchObject({ ca: true, critical: true });
    const { keyCertSign, cRLSign } = library.KeyUsageFlags;
    expect(ca.getExtension(library.KeyUsagesExtension)!.usages).toBe(keyCertSign | cRLSign);
    expect(ca.notAfter).toEqual(new Date('2036-05-03T07:08:09Z'));
  });

  it('issues a leaf with its usage', async () => {
    expect(await leaf.verify({ publicKey: ca.publicKey, signatureOnly: true })).toBe(true);
    expect(leaf.subjectName.getField('CN')).toEqual(['Jürgen, "the" admin']);
    expect(leaf.subjectName.getField('O')).toEqual(['a team']);
    expect(leaf.issuer).toBe(ca.subject);
    expect(leaf.getExtension(library.BasicConstraintsExtension)).toMatchObject({ ca: false });
    expect(leaf.getExtension(library.ExtendedKeyUsageExtension)!.usages).toEqual([library.ExtendedKeyUsage.serverAuth]);
    expect(leaf.getExtension(library.AuthorityKeyIdentifierExtension)!.keyId).toBe(
      ca.getExtension(library.SubjectKeyIdentifierExtension)!.keyId,
    );
    const names = leaf.getExtension(library.SubjectAlternativeNameExtension)!.names.toJSON();
    expect(names.map(({ type }) => type)).toEqual(['dns', 'ip', 'ip', 'ip', 'ip', 'dns']);
    expect(names.map(({ value }) => value)).toEqual(
      expect.arrayContaining(['localhost', '127.0.0.1', 'api.example.com']),
    );
    expect(leaf.notBefore).toEqual(new Date('2026-05-06T07:03:09Z'));
  });

  it('covers the requested hosts and no others', () => {
    const certificate = new X509Certificate(Buffer.from(leaf.rawData));
    for (const host of ['127.0.0.1', '::1', '2001:db8::5', 'fe80::ffff:a01:203']) {
      expect(certificate.checkIP(host), host).toBeDefined();
    }
    expect(certificate.checkHost('api.example.com')).toBeDefined();
    expect(certificate.checkHost('other.example.com')).toBeUndefined();
    expect(certificate.checkIP('::2')).toBeUndefined();
  });

  it('gives every certificate its own serial number', () => {
    const serials = Array.from({ length: 20 }, () => authority.issue({ subject, usage: 'client' }).cert).map(
      (cert) => new X509Certificate(cert).serialNumber,
    );
    expect(new Set(serials).size).toBe(20);
  });
});

it('encodes times after 2049', () => {
  const late = CertificateAuthority.create(new Date('2045-01-01T00:00:00Z'));
  expect(new X509Certificate(late.pair.cert).validToDate).toEqual(new Date('2054-12-30T00:00:00Z'));
});

it.each(['rsa', 'ed25519'] as const)('signs with a foreign CA of type %s', async (type) => {
  const { privateKey } =
    type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ed25519');
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const algorithm = type === 'rsa' ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } : { name: 'Ed25519' };
  const der = createPrivateKey(key).export({ type: 'pkcs8', format: 'der' });
  const signingKey = await crypto.subtle.importKey('pkcs8', der, algorithm, true, ['sign']);
  const spki = new library.PublicKey(generateSpki(key));
  const publicKey = await spki.export(algorithm, ['verify']);
  const foreign = await library.X509CertificateGenerator.createSelfSigned({
    name: 'O=Somebody, CN=Some CA',
    signingAlgorithm: algorithm,
    keys: { privateKey: signingKey, publicKey },
    extensions: [
      new library.BasicConstraintsExtension(true, undefined, true),
      new library.SubjectKeyIdentifierExtension('0102030405', false),
    ],
  });
  const authority = CertificateAuthority.load({ cert: foreign.toString('pem'), key }, new Date());
  const leaf = new library.X509Certificate(authority.issue({ subject, usage: 'client' }).cert);
  expect(await leaf.verify({ publicKey: foreign.publicKey, signatureOnly: true })).toBe(true);
  expect(leaf.issuer).toBe(foreign.subject);
  expect(leaf.getExtension(library.AuthorityKeyIdentifierExtension)!.keyId).toBe('0102030405');
});

function generateSpki(key: string): ArrayBuffer {
  const { createPublicKey } = process.getBuiltinModule('node:crypto');
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return der.buffer.slice(der.byteOffset, der.byteOffset + der.length) as ArrayBuffer;
}
