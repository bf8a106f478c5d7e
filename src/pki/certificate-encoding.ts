import { type KeyObject, randomBytes, sign } from 'node:crypto';
import { bitString, childrenOf, element, integer, oid, sequence, set, time, utf8String } from './der.ts';

/** The supported attributes of a name, in the order in which Go writes them. */
export const nameAttributes = {
  C: '2.5.4.6',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  L: '2.5.4.7',
  ST: '2.5.4.8',
  street: '2.5.4.9',
  postalCode: '2.5.4.17',
  CN: '2.5.4.3',
  serialNumber: '2.5.4.5',
} as const;

/** The attributes of a distinguished name, in order: `O` organisation, `CN` common name. */
export type Name = readonly { readonly type: keyof typeof nameAttributes; readonly value: string }[];

export interface CertificateFields {
  readonly subject: Buffer;
  readonly issuer: Buffer;
  readonly publicKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly extensions: readonly Buffer[];
}

/** Encodes and signs an X.509 version 3 certificate with a random serial number. Returns DER. */
export function signedCertificate(fields: CertificateFields, key: KeyObject): Buffer {
  const algorithm = signatureAlgorithm(key);
  const body = sequence(
    element(0xa0, integer(Buffer.from([2]))),
    integer(serialNumber()),
    algorithm,
    fields.issuer,
    sequence(time(fields.notBefore), time(fields.notAfter)),
    fields.subject,
    fields.publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(...fields.extensions)),
  );
  return sequence(body, algorithm, bitString(sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', body, key)));
}

/** The CA of a user may have another type of key than the CAs created here. */
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
  // The number must be positive and without leading zeros.
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes;
}

export function encodedName(name: Name): Buffer {
  return sequence(...name.map(({ type, value }) => set(sequence(oid(nameAttributes[type]), utf8String(value)))));
}

/** The encoded subject of a certificate (DER), exactly as its issuer wrote it. */
export function subjectOf(certificate: Buffer): Buffer {
  const [body] = childrenOf(certificate);
  // Version, serial number, algorithm, issuer, validity, subject.
  return childrenOf(body!)[5]!;
}

export function encodePem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
