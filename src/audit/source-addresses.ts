import { isIP, SocketAddress } from 'node:net';

/** No proxy chain is longer, and clients control the length of the header. */
const maxAddresses = 64;

export interface AddressSources {
  /** Returns the value of a request header. The name is in lower case. */
  header(name: string): string | undefined;
  readonly remoteAddress: string;
}

/**
 * Returns the addresses that a request came from: those in proxy headers, then that of the connection, the only one
 * that clients cannot forge. Invalid addresses are omitted.
 */
export function sourceAddresses({ header, remoteAddress }: AddressSources): string[] {
  const forwarded = header('x-forwarded-for');
  const addresses =
    forwarded === undefined ? [] : forwarded.split(',', maxAddresses).flatMap((text) => addressOf(text.trim()));
  const real = header('x-real-ip');
  for (const address of real === undefined ? [] : addressOf(real)) {
    if (!addresses.includes(address)) addresses.push(address);
  }
  for (const address of addressOf(remoteAddress)) {
    if (addresses.at(-1) !== address) addresses.push(address);
  }
  return addresses;
}

const leadingZeros = /(^|\.)0+(?=\d)/g;
const mapped = /^::ffff:(?=\d+\.)/;

/** Returns the address in canonical notation. */
function addressOf(text: string): string[] {
  const plain = text.replace(leadingZeros, '$1');
  const version = isIP(plain);
  if (version === 4) return [plain];
  if (version === 0 || text.includes('%')) return [];
  return [new SocketAddress({ address: text, family: 'ipv6' }).address.replace(mapped, '')];
}
