import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import {
  bitString,
  boolean,
  childrenOf,
  contentOf,
  element,
  elementAt,
  integer,
  octetString,
  oid,
  sequence,
  set,
  time,
  utf8String,
} from './der.ts';

/** The attributes of a name, in order: `O` organisation, `CN` common name. */
export type Name = readonly { readonly type: 'CN' | 'O'; readonly value: string }[];

export interface CertificateParts {
  readonly subject: Buffer;
  readonly issuer: Buffer;
  readonly publicKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly extensions: readonly Buffer[];
}

/** Version 3, with a random serial number, signed. In DER form. */
export function signedCertificate(parts: CertificateParts, key: KeyObject): Buffer {
  const algorithm = signatureAlgorithm(key);
  const body = sequence(
    element(0xa0, integer(Buffer.from([2]))),
    integer(serialNumber()),
    algorithm,
    parts.issuer,
    sequence(time(parts.notBefore), time(parts.notAfter)),
    parts.subject,
    parts.publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(...parts.extensions)),
  );
  return sequence(body, algorithm, bitString(sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', body, key)));
}

/** A CA that a user has put in place may have a key of another kind than those that are made here. */
function signatureAlgorithm({ asymmetricKeyType }: KeyObject): Buffer {
  const none = Buffer.from([0x05, 0x00]);
  switch (asymmetricKeyType) {
    case 'ec':
      return sequence(oid('1.2.840.10045.4.3.2'));
    case 'rsa':
      return sequence(oid('1.2.840.113549.1.1.11'), none);
    case 'ed25519':
      return sequence(oid('1.3.101.112'));
    default:
      throw new Error(`cannot sign certificates with a key of type ${asymmetricKeyType}`);
  }
}

function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  // Neither negative nor with zeros at its beginning.
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes;
}

const attributes = { CN: '2.5.4.3', O: '2.5.4.10' };

export function encodedName(name: Name): Buffer {
  return sequence(...name.map(({ type, value }) => set(sequence(oid(attributes[type]), utf8String(value)))));
}

/** The subject of a certificate in DER form, as its issuer wrote it. */
export function subjectOf(certificate: Buffer): Buffer {
  const [body] = childrenOf(certificate);
  // Version, serial number, algorithm, issuer, validity, subject.
  return childrenOf(body!)[5]!;
}

function extension(id: string, { critical, value }: { critical: boolean; value: Buffer }): Buffer {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), octetString(value));
}

const subjectKeyId = '2.5.29.14';

/** What a CA is allowed to do: sign certificates and lists of revoked ones. */
export function authorityExtensions(publicKey: KeyObject): Buffer[] {
  return [
    extension('2.5.29.19', { critical: true, value: sequence(boolean(true)) }),
    extension('2.5.29.15', { critical: true, value: bitString(Buffer.from([0b0000_0110]), 1) }),
    extension(subjectKeyId, { critical: false, value: octetString(keyId(publicKey)) }),
  ];
}

const purposes = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' };

export interface LeafExtensions {
  readonly usage: keyof typeof purposes;
  /** Names and addresses. */
  readonly hosts: readonly string[];
  /** The issuer's certificate in DER form. */
  readonly issuer: Buffer;
}

export function leafExtensions({ usage, hosts, issuer }: LeafExtensions): Buffer[] {
  const issuerKeyId = keyIdOf(issuer);
  return [
    extension('2.5.29.19', { critical: true, value: sequence() }),
    extension('2.5.29.15', { critical: true, value: bitString(Buffer.from([0b1000_0000]), 7) }),
    extension('2.5.29.37', { critical: false, value: sequence(oid(purposes[usage])) }),
    ...(issuerKeyId ? [extension('2.5.29.35', { critical: false, value: sequence(element(0x80, issuerKeyId)) })] : []),
    ...(hosts.length > 0
      ? [extension('2.5.29.17', { critical: false, value: sequence(...hosts.map(generalName)) })]
      : []),
  ];
}

function keyId(publicKey: KeyObject): Buffer {
  const [, bits] = childrenOf(publicKey.export({ type: 'spki', format: 'der' }));
  // Without the count of unused bits. SHA-1 is no protection here, only a name.
  return createHash('sha1').update(contentOf(bits!).subarray(1)).digest();
}

/** The key identifier that the certificate states for itself; undefined when it states none. */
function keyIdOf(certificate: Buffer): Buffer | undefined {
  const id = oid(subjectKeyId);
  const at = certificate.indexOf(id);
  if (at < 0) return undefined;
  return contentOf(contentOf(elementAt(certificate, at + id.length)));
}

function generalName(host: string): Buffer {
  const version = isIP(host);
  return version === 0 ? element(0x82, Buffer.from(host)) : element(0x87, version === 4 ? ipv4(host) : ipv6(host));
}

function ipv4(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number));
}

/** `::` stands for as many zeros as are missing; the last part may be written as an IPv4 address. */
function ipv6(address: string): Buffer {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const groups = (text: string): number[] =>
    text.split(':').flatMap((part) => {
      if (part === '') return [];
      if (!part.includes('.')) return [Number.parseInt(part, 16)];
      const bytes = ipv4(part);
      return [bytes.readUInt16BE(0), bytes.readUInt16BE(2)];
    });
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((group) => [group >>> 8, group & 0xff]));
}

export function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
