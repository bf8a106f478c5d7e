import { createHash, type KeyObject } from 'node:crypto';
import { addressFamily } from '../meta/address-family.ts';
import { bitString, boolean, childrenOf, contentOf, element, elementAt, octetString, oid, sequence } from './der.ts';

const subjectKeyId = '2.5.29.14';

function extension(id: string, { critical, value }: { critical: boolean; value: Buffer }): Buffer {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), octetString(value));
}

/** The extensions of a CA, which may sign certificates and revocation lists. */
export function authorityExtensions(publicKey: KeyObject): Buffer[] {
  return [
    extension('2.5.29.19', { critical: true, value: sequence(boolean(true)) }),
    keyUsageExtension([5, 6]),
    extension(subjectKeyId, { critical: false, value: octetString(keyId(publicKey)) }),
  ];
}

const purposes = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' };

export interface LeafExtensions {
  readonly usage: keyof typeof purposes;
  /** DNS names and IP addresses. */
  readonly hosts: readonly string[];
  /** The issuer's certificate in DER. */
  readonly issuer: Buffer;
}

export function leafExtensions({ usage, hosts, issuer }: LeafExtensions): Buffer[] {
  return [
    ...subordinateExtensions(issuer),
    keyUsageExtension([0]),
    purposeExtension([purposes[usage]]),
    ...(hosts.length > 0 ? [alternativeNamesExtension(hosts.map(generalName))] : []),
  ];
}

/** The extensions of a certificate that is not a CA. `issuer` is the issuer's certificate in DER. */
export function subordinateExtensions(issuer: Buffer): Buffer[] {
  const issuerKeyId = keyIdOf(issuer);
  return [
    extension('2.5.29.19', { critical: true, value: sequence() }),
    ...(issuerKeyId ? [extension('2.5.29.35', { critical: false, value: sequence(element(0x80, issuerKeyId)) })] : []),
  ];
}

/** The key usage, as bit numbers: 0 is digital signature. Needs at least one. */
export function keyUsageExtension(usages: readonly number[]): Buffer {
  const last = Math.max(...usages);
  const bytes = Buffer.alloc((last >> 3) + 1);
  for (const usage of usages) bytes[usage >> 3]! |= 0x80 >> (usage & 7);
  return extension('2.5.29.15', { critical: true, value: bitString(bytes, 7 - (last & 7)) });
}

/** The extended key usage, as object identifiers. */
export function purposeExtension(purposeIds: readonly string[]): Buffer {
  return extension('2.5.29.37', { critical: false, value: sequence(...purposeIds.map(oid)) });
}

/** The subject alternative names, which must be critical when the subject is empty. */
export function alternativeNamesExtension(names: readonly Buffer[], { critical = false } = {}): Buffer {
  return extension('2.5.29.17', { critical, value: sequence(...names) });
}

function keyId(publicKey: KeyObject): Buffer {
  const [, bits] = childrenOf(publicKey.export({ type: 'spki', format: 'der' }));
  // Skips the count of unused bits. SHA-1 only makes an identifier here and protects nothing.
  return createHash('sha1').update(contentOf(bits!).subarray(1)).digest();
}

/** The subject key identifier of a certificate; undefined when it has none. */
function keyIdOf(certificate: Buffer): Buffer | undefined {
  const id = oid(subjectKeyId);
  const at = certificate.indexOf(id);
  if (at < 0) return undefined;
  return contentOf(contentOf(elementAt(certificate, at + id.length)));
}

function generalName(host: string): Buffer {
  const version = addressFamily(host);
  return version === 0 ? element(0x82, Buffer.from(host)) : element(0x87, version === 4 ? ipv4(host) : ipv6(host));
}

function ipv4(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number));
}

/** `::` stands for the missing zero groups. The last group may be written as an IPv4 address. */
function ipv6(address: string): Buffer {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const groups = (text: string): number[] =>
    text.split(':').flatMap((group) => {
      if (group === '') return [];
      if (!group.includes('.')) return [Number.parseInt(group, 16)];
      const bytes = ipv4(group);
      return [bytes.readUInt16BE(0), bytes.readUInt16BE(2)];
    });
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((group) => [group >>> 8, group & 0xff]));
}
