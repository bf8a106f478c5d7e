import { isIP, SocketAddress } from 'node:net';

/** Nobody has more proxies, and the header may be as long as a client likes. */
const most = 64;

export interface AddressSources {
  /** The value of a request header by its lower-case name. */
  header(name: string): string | undefined;
  readonly remoteAddress: string;
}

/**
 * Where a request came from: what proxies say of themselves, then the other end of the connection, which alone cannot be made
 * up. What is no address is left out.
 */
export function sourceAddresses({ header, remoteAddress }: AddressSources): string[] {
  const forwarded = header('x-forwarded-for');
  const addresses = forwarded === undefined ? [] : forwarded.split(',', most).flatMap((text) => addressOf(text.trim()));
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

/** In the one way to write it. */
function addressOf(text: string): string[] {
  const plain = text.replace(leadingZeros, '$1');
  const version = isIP(plain);
  if (version === 4) return [plain];
  if (version === 0 || text.includes('%')) return [];
  return [new SocketAddress({ address: text, family: 'ipv6' }).address.replace(mapped, '')];
}
