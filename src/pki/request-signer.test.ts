import 'reflect-metadata';
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import * as library from '@peculiar/x509';
import { describe, expect, it } from 'vitest';
import { type CertificateRequestOptions, newCertificateRequest } from '../../test/clients/certificate-request.ts';
import { CertificateAuthority } from './certificate-authority.ts';
import { encodePem } from './certificate-encoding.ts';
import { requestedIdentity } from './certificate-request.ts';
import { bitString, element, integer, oid, sequence, set, utf8String } from './der.ts';
import { RequestSigner } from './request-signer.ts';

const now = Date.parse('2026-05-06T07:08:09Z');
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const { pair } = CertificateAuthority.create(new Date(now));
const ca = new library.X509Certificate(pair.cert);
const signer = new RequestSigner({ pair, now: () => now });
const joe: library.X509CertificateCreateParamsName = [{ O: ['dev'] }, { O: ['ops'] }, { CN: ['joe'] }];

async function signed(
  options: CertificateRequestOptions,
  { usages = ['client auth'], by = signer, seconds }: { usages?: string[]; by?: RequestSigner; seconds?: number } = {},
): Promise<library.X509Certificate> {
  const { request } = await newCertificateRequest(options);
  return new library.X509Certificate(await by.sign({ request, usages, expirationSeconds: seconds }));
}

/** An independent library parses everything that the tested code encodes. */
describe('a signed certificate', () => {
  it('has the requested subject, the issuer, and is no CA', async () => {
    const { request, key } = await newCertificateRequest({ subject: joe });
    const text = await signer.sign({ request, usages: ['client auth'] });
    expect(text).toMatch(/^-----BEGIN CERTIFICATE-----\n[\s\S]*-----END CERTIFICATE-----\n$/);
    const certificate = new library.X509Certificate(text);
    expect(await certificate.verify({ publicKey: ca.publicKey, signatureOnly: true })).toBe(true);
    expect(certificate.issuer).toBe(ca.subject);
    expect(certificate.subject).toBe('O=dev, O=ops, CN=joe');
    expect(certificate.getExtension(library.BasicConstraintsExtension)).toMatchObject({ ca: false, critical: true });
    expect(certificate.getExtension(library.AuthorityKeyIdentifierExtension)!.keyId).toBe(
      ca.getExtension(library.SubjectKeyIdentifierExtension)!.keyId,
    );
    expect(certificate.getExtension(library.SubjectAlternativeNameExtension)).toBeNull();
    expect(new X509Certificate(text).checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(certificate.serialNumber).toMatch(/^[4-7][0-9a-f]{31}$/);
    const other = new library.X509Certificate(await signer.sign({ request, usages: ['client auth'] }));
    expect(other.serialNumber).not.toBe(certificate.serialNumber);
  });

  it.each<[usages: string[], bits: number | undefined, purposes: string[] | undefined]>([
    [['client auth'], undefined, ['1.3.6.1.5.5.7.3.2']],
    [['signing'], library.KeyUsageFlags.digitalSignature, undefined],
    [
      ['client auth', 'key encipherment', 'server auth', 'digital signature'],
      library.KeyUsageFlags.digitalSignature | library.KeyUsageFlags.keyEncipherment,
      ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'],
    ],
    [
      ['decipher only', 'key agreement'],
      library.KeyUsageFlags.decipherOnly | library.KeyUsageFlags.keyAgreement,
      undefined,
    ],
    [
      ['s/mime', 'email protection', 'any', 'netscape sgc'],
      undefined,
      ['2.5.29.37.0', '1.3.6.1.5.5.7.3.4', '2.16.840.1.113730.4.1'],
    ],
  ])('has the requested usages: %j', async (usages, bits, purposes) => {
    const certificate = await signed({ subject: joe }, { usages });
    expect(certificate.getExtension(library.KeyUsagesExtension)?.usages).toBe(bits);
    expect(certificate.getExtension(library.ExtendedKeyUsageExtension)?.usages).toEqual(purposes);
  });

  it('has the requested alternative names', async () => {
    const names: library.JsonGeneralName[] = [
      { type: 'url', value: 'https://a.example/b' },
      { type: 'ip', value: '192.0.2.1' },
      { type: 'ip', value: '2001:db8::1' },
      { type: 'email', value: 'joe@a.example' },
      { type: 'dns', value: 'a.example' },
    ];
    const certificate = await signed({ subject: joe, names });
    const found = certificate.getExtension(library.SubjectAlternativeNameExtension)!;
    expect(found.critical).toBe(false);
    expect(found.names.toJSON()).toEqual(
      [4, 3, 1, 2, 0].map((index) => expect.objectContaining({ type: names[index]!.type })),
    );
    expect(new X509Certificate(Buffer.from(certificate.rawData)).checkIP('2001:db8::1')).toBe('2001:db8::1');
  });

  it('has critical alternative names when it has no subject', async () => {
    const certificate = await signed({ subject: [], names: [{ type: 'dns', value: 'a.example' }] });
    expect(certificate.subject).toBe('');
    expect(certificate.getExtension(library.SubjectAlternativeNameExtension)!.critical).toBe(true);
  });

  it('supports many alternative names', async () => {
    const names = Array.from({ length: 300 }, (_, index) =>
      element(0x82, Buffer.from(`${index}.${'a'.repeat(240)}.example`)),
    );
    const text = await signer.sign({ request: requestOf({ names }), usages: ['server auth'] });
    expect(new X509Certificate(text).subjectAltName?.split(', ')).toHaveLength(300);
  });
});

describe('the validity of a certificate', () => {
  it.each<[what: string, seconds: number | undefined, ms: number]>([
    ['the longest that there is', undefined, 365 * day - 5 * minute],
    ['what was asked for', 30 * 24 * 3600, 30 * day - 5 * minute],
    ['what was asked for, to the end when that is soon', 3600, hour],
    ['not longer than the longest', 400 * 24 * 3600, 365 * day - 5 * minute],
    ['not shorter than makes sense', 1, 10 * minute],
  ])('is %s', async (_what, seconds, ms) => {
    const { notBefore, notAfter } = await signed({ subject: joe }, seconds === undefined ? {} : { seconds });
    expect(notBefore.getTime()).toBe(now - 5 * minute);
    expect(notAfter.getTime()).toBe(now + ms);
  });

  it('ends no later than that of the CA', async () => {
    const late = new RequestSigner({ pair, now: () => now + 3600 * day });
    expect((await signed({ subject: joe }, { by: late })).notAfter).toEqual(ca.notAfter);
    const tooLate = new RequestSigner({ pair, now: () => now + 3650 * day });
    await expect(signed({ subject: joe }, { by: tooLate })).rejects.toThrow(
      'the certificate of the signer has expired',
    );
  });

  it('is limited by the server', async () => {
    const brief = new RequestSigner({ pair, durationMs: hour, now: () => now });
    expect((await signed({ subject: joe }, { by: brief })).notAfter.getTime()).toBe(now + hour);
    expect(() => new RequestSigner({ pair, durationMs: 0 })).toThrow(RangeError);
  });
});

describe('keys', () => {
  const rsa = (name: string, modulusLength: number, hash = 'SHA-256') => ({
    name,
    modulusLength,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash,
  });

  it.each([
    ['P-384', { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' }],
    ['P-521', { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' }],
    ['Ed25519', { name: 'Ed25519', namedCurve: 'Ed25519' }],
    ['RSA', rsa('RSASSA-PKCS1-v1_5', 2048)],
    ['short RSA', rsa('RSASSA-PKCS1-v1_5', 1024)],
  ])('are accepted: %s', async (_what, algorithm) => {
    const certificate = await signed({ subject: joe, algorithm });
    expect(await certificate.verify({ publicKey: ca.publicKey, signatureOnly: true })).toBe(true);
  });

  it.each([
    ['very short RSA', generateKeyPairSync('rsa', { modulusLength: 512 }), '512-bit RSA keys are insecure'],
    ['a foreign curve', generateKeyPairSync('ec', { namedCurve: 'secp256k1' }), 'x509: unsupported elliptic curve'],
    ['one of another kind than the signature', generateKeyPairSync('x25519'), 'x509: ECDSA verification failure'],
  ])('are refused: %s', (_what, keys, problem) => {
    expect(() => requestedIdentity(requestOf({ ...keys, subject: sequence() }))).toThrow(problem);
  });
});

describe('parsing a request', () => {
  const commonName = (value: Buffer) => set(sequence(oid('2.5.4.3'), value));
  const organization = (value: Buffer) => set(sequence(oid('2.5.4.10'), value));

  it('returns the identity', async () => {
    const { request } = await newCertificateRequest({ subject: joe, names: [{ type: 'dns', value: 'a.example' }] });
    expect(requestedIdentity(request)).toEqual({
      commonName: 'joe',
      organizations: ['dev', 'ops'],
      alternativeNames: new Set(['dns']),
    });
  });

  it('uses the last of several common names and ignores unknown attributes', async () => {
    const uid = set(sequence(oid('1.3.6.1.4.1.57683.2'), utf8String('1')));
    const subject = sequence(commonName(utf8String('one')), uid, commonName(element(0x13, Buffer.from('two'))));
    const request = requestOf({ subject });
    expect(requestedIdentity(request)).toMatchObject({ commonName: 'two', organizations: [] });
    const certificate = new library.X509Certificate(await signer.sign({ request, usages: ['client auth'] }));
    expect(certificate.subject).toBe('CN=two');
  });

  it('refuses names in ambiguous encodings', () => {
    const wide = Buffer.from('system:masters', 'utf16le').swap16();
    for (const value of [element(0x1e, wide), element(0x0c, Buffer.from([0xff])), element(0x14, Buffer.from([0xe9]))]) {
      expect(() => requestedIdentity(requestOf({ subject: sequence(organization(value)) }))).toThrow(
        'invalid attribute value',
      );
    }
  });

  it.each([
    ['text that is none', 'eA==', 'PEM block type must be CERTIFICATE REQUEST'],
    [
      'a signature of somebody else',
      requestOf({ subject: sequence(), foreign: true }),
      'x509: ECDSA verification failure',
    ],
    ['a broken subject', requestOf({ subject: sequence(sequence()) }), 'asn1: structure error'],
    ['an address of odd length', requestOf({ names: [element(0x87, Buffer.alloc(5))] }), 'SAN iPAddress is malformed'],
    ['a host that is no ASCII', requestOf({ names: [element(0x82, Buffer.from('ü'))] }), 'SAN dNSName is malformed'],
    ['names twice', requestOf({ names: [], twice: true }), 'duplicate requested extensions'],
  ])('refuses %s', async (_what, request, problem) => {
    expect(() => requestedIdentity(request)).toThrow(problem);
    await expect(signer.sign({ request, usages: ['client auth'] })).rejects.toThrow(problem);
  });
});

describe('RSA-PSS', () => {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const hash = sequence(oid('2.16.840.1.101.3.4.2.2'), Buffer.from([5, 0]));
  const parameters = (salt: number) =>
    sequence(
      element(0xa0, hash),
      element(0xa1, sequence(oid('1.2.840.113549.1.1.8'), hash)),
      element(0xa2, integer(Buffer.from([salt]))),
    );
  const pss = (salt: number, signedWith: KeyObject = keys.privateKey) =>
    requestOf({
      ...keys,
      subject: sequence(),
      algorithm: sequence(oid('1.2.840.113549.1.1.10'), parameters(salt)),
      // 6 is the padding of PSS.
      signed: (body) => sign('sha384', body, { key: signedWith, padding: 6, saltLength: 48 }),
    });

  it('is verified', () => {
    expect(requestedIdentity(pss(48))).toMatchObject({ commonName: '' });
    const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    expect(() => requestedIdentity(pss(48, foreign))).toThrow('crypto/rsa: verification error');
    expect(() => requestedIdentity(pss(20))).toThrow('x509: cannot verify signature: algorithm unimplemented');
  });
});

describe('the CA', () => {
  const other = CertificateAuthority.create(new Date(now)).pair;

  it.each([
    ['no certificate', { ...pair, cert: 'x' }, 'error reading CA cert file: expected 1 certificate, found 0'],
    [
      'two certificates',
      { ...pair, cert: pair.cert + other.cert },
      'error reading CA cert file: expected 1 certificate, found 2',
    ],
    ['no key', { ...pair, key: 'secret' }, 'error reading CA key file: not a private key in PEM form'],
    [
      'a foreign key',
      { ...pair, key: other.key },
      'error reading CA key file: it is not the key of the CA certificate',
    ],
  ])('is kept when the new one has %s', async (_what, wrong, problem) => {
    expect(() => new RequestSigner({ pair: wrong })).toThrow(new RangeError(problem));
    const by = new RequestSigner({ pair, now: () => now });
    expect(() => by.replace(wrong)).toThrow(new RangeError(problem));
    expect((await signed({ subject: joe }, { by })).issuer).toBe(ca.subject);
  });

  it('can be replaced', async () => {
    const by = new RequestSigner({ pair, now: () => now });
    by.replace(other);
    const certificate = await signed({ subject: joe }, { by });
    const { publicKey } = new library.X509Certificate(other.cert);
    expect(await certificate.verify({ publicKey, signatureOnly: true })).toBe(true);
  });
});

it('supports all usages of the API', async () => {
  await expect(signed({ subject: joe }, { usages: ['client auth', 'nothing'] })).rejects.toThrow(
    'unrecognized usage values: ["nothing"]',
  );
});

interface OddRequest {
  readonly publicKey?: KeyObject;
  readonly privateKey?: KeyObject;
  readonly subject?: Buffer;
  readonly names?: readonly Buffer[];
  readonly twice?: boolean;
  readonly foreign?: boolean;
  readonly algorithm?: Buffer;
  readonly signed?: (body: Buffer) => Buffer;
}

/** Encodes a request that no library would create. */
function requestOf({ subject = sequence(), names, twice = false, foreign = false, ...options }: OddRequest): string {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { publicKey = own.publicKey, privateKey = own.privateKey } = options;
  const type = privateKey.asymmetricKeyType;
  const extension = names && sequence(oid('2.5.29.17'), element(0x04, sequence(...names)));
  const extensions = extension === undefined ? [] : twice ? [extension, extension] : [extension];
  const attribute = sequence(oid('1.2.840.113549.1.9.14'), set(sequence(...extensions)));
  const body = sequence(
    integer(Buffer.from([0])),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa0, ...(names === undefined ? [] : [attribute])),
  );
  const key = foreign ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : privateKey;
  const algorithm =
    options.algorithm ?? sequence(oid(type === 'rsa' ? '1.2.840.113549.1.1.11' : '1.2.840.10045.4.3.2'));
  const signature = options.signed?.(body) ?? (type === 'x25519' ? Buffer.alloc(64) : sign('sha256', body, key));
  return Buffer.from(encodePem('CERTIFICATE REQUEST', sequence(body, algorithm, bitString(signature)))).toString(
    'base64',
  );
}
