import { element, integer, oid, sequence } from './der.ts';

const hashes = {
  sha256: { id: '2.16.840.1.101.3.4.2.1', length: 32 },
  sha384: { id: '2.16.840.1.101.3.4.2.2', length: 48 },
  sha512: { id: '2.16.840.1.101.3.4.2.3', length: 64 },
} as const;
const maskGeneration = '1.2.840.113549.1.1.8';
const none = Buffer.from([0x05, 0x00]);

/**
 * The hash of RSA-PSS parameters (DER), which must use the same hash for the mask and a salt of the hash length.
 * Undefined for other parameters, which are not used in practice.
 */
export function pssHash(parameters: Buffer): string | undefined {
  const names = Object.keys(hashes) as (keyof typeof hashes)[];
  return names.find((name) => [[none], []].some((nothing) => parametersOf(name, nothing).equals(parameters)));
}

/** Encoders write the absent parameters of the hash as NULL or omit them. */
function parametersOf(name: keyof typeof hashes, nothing: readonly Buffer[]): Buffer {
  const { id, length } = hashes[name];
  const hash = sequence(oid(id), ...nothing);
  return sequence(
    element(0xa0, hash),
    element(0xa1, sequence(oid(maskGeneration), hash)),
    element(0xa2, integer(Buffer.from([length]))),
  );
}
