import { type KeyObject, randomBytes, sign } from 'node:crypto';
import { bitString, childrenOf, element, integer, oid, sequence, set, time, utf8String } from './der.ts';

/** What a name may be made of, in the order in which Go writes it. */
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

/** The attributes of a name, in order: `O` organisation, `CN` common name. */
export type Name = readonly { readonly type: keyof typeof nameAttributes; readonly value: string }[];

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

export function encodedName(name: Name): Buffer {
  return sequence(...name.map(({ type, value }) => set(sequence(oid(nameAttributes[type]), utf8String(value)))));
}

/** The subject of a certificate in DER form, as its issuer wrote it. */
export function subjectOf(certificate: Buffer): Buffer {
  const [body] = childrenOf(certificate);
  // Version, serial number, algorithm, issuer, validity, subject.
  return childrenOf(body!)[5]!;
}

export function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
