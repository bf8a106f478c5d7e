import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

const blockSyntax = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;
const privateTypes = ['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY'];
const publicTypes = ['PUBLIC KEY', 'RSA PUBLIC KEY', 'CERTIFICATE'];

/** Returns the first private key of a PEM file. `origin` names the file in the RangeError when there is none. */
export function privateKeyOf(pem: string, origin: string): KeyObject {
  const block = blocksOf(pem, privateTypes)[0];
  if (block === undefined) throw new RangeError(`${origin}: data does not contain a valid RSA or ECDSA private key`);
  return parsed(() => createPrivateKey(block), origin);
}

/**
 * Returns the public keys of a PEM file, which may contain any number of public keys, private keys and certificates.
 */
export function publicKeysOf(pem: string, origin: string): KeyObject[] {
  const blocks = blocksOf(pem, [...publicTypes, ...privateTypes]);
  if (blocks.length === 0) {
    throw new RangeError(`${origin}: data does not contain any valid RSA or ECDSA public keys`);
  }
  return blocks.map((block) => parsed(() => createPublicKey(block), origin));
}

/** Skips other blocks, such as curve parameters. */
function blocksOf(pem: string, types: readonly string[]): string[] {
  return [...pem.matchAll(blockSyntax)].filter(([, type = '']) => types.includes(type)).map(([block]) => block);
}

function parsed(parse: () => KeyObject, origin: string): KeyObject {
  try {
    return parse();
  } catch (cause) {
    throw new RangeError(`${origin}: contains a malformed key`, { cause });
  }
}
