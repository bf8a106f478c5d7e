import { goQuoteList } from '../meta/go-quote.ts';
import { keyUsageExtension, purposeExtension } from './certificate-extensions.ts';

/** Key usages, with their bit numbers. */
const keyUsages: Readonly<Record<string, number>> = {
  signing: 0,
  'digital signature': 0,
  'content commitment': 1,
  'key encipherment': 2,
  'data encipherment': 3,
  'key agreement': 4,
  'cert sign': 5,
  'crl sign': 6,
  'encipher only': 7,
  'decipher only': 8,
};

/** Extended key usages, in the order in which Go writes them. */
const purposes: Readonly<Record<string, string>> = {
  any: '2.5.29.37.0',
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  's/mime': '1.3.6.1.5.5.7.3.4',
  'ipsec end system': '1.3.6.1.5.5.7.3.5',
  'ipsec tunnel': '1.3.6.1.5.5.7.3.6',
  'ipsec user': '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
  'microsoft sgc': '1.3.6.1.4.1.311.10.3.3',
  'netscape sgc': '2.16.840.1.113730.4.1',
};

/** Encodes the usages of a certificate request as extensions. Throws for unknown usages. */
export function usageExtensions(usages: readonly string[]): Buffer[] {
  const unknown = usages.filter((usage) => !Object.hasOwn(keyUsages, usage) && !Object.hasOwn(purposes, usage));
  if (unknown.length > 0) throw new Error(`unrecognized usage values: ${goQuoteList(unknown)}`);
  const wanted = new Set(usages);
  const bits = Object.entries(keyUsages).flatMap(([usage, bit]) => (wanted.has(usage) ? [bit] : []));
  const ids = new Set(Object.entries(purposes).flatMap(([usage, id]) => (wanted.has(usage) ? [id] : [])));
  return [...(bits.length > 0 ? [keyUsageExtension(bits)] : []), ...(ids.size > 0 ? [purposeExtension([...ids])] : [])];
}
