import { BlockList, isIP } from 'node:net';
import { badRequest } from '../meta/status-error.ts';

/** Addresses of this machine, of its links and of groups of machines. Rules for IPv4 also match mapped addresses. */
const refused = new BlockList();
refused.addAddress('0.0.0.0');
refused.addAddress('255.255.255.255');
refused.addSubnet('127.0.0.0', 8);
refused.addSubnet('169.254.0.0', 16);
refused.addSubnet('224.0.0.0', 4);
refused.addAddress('::', 'ipv6');
refused.addAddress('::1', 'ipv6');
refused.addSubnet('fe80::', 10, 'ipv6');
refused.addSubnet('ff00::', 8, 'ipv6');

/** Whether a client may be connected to an IP address: to global unicast addresses only. */
export type IsAllowedAddress = (address: string) => boolean;

export function isGlobalUnicast(address: string): boolean {
  const family = isIP(address);
  // An address with a zone selects a network interface.
  if (family === 0 || address.includes('%')) return false;
  return !refused.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

export function addressNotAllowed(): Error {
  return badRequest('address not allowed');
}

/**
 * An allowed address of a host. Rejects if any of its addresses is not allowed. The caller must connect to this address
 * instead of the host, because the host may have other addresses a moment later.
 */
export async function allowedAddressOf(host: string, isAllowed: IsAllowedAddress): Promise<string> {
  // Loaded on demand, so that the server starts faster.
  const { lookup } = await import('node:dns/promises');
  const found = await lookup(host, { all: true, order: 'verbatim' }).catch((cause: Error) => {
    throw badRequest(`lookup ${host}: no such host`, { cause });
  });
  const [first] = found;
  if (first === undefined) throw badRequest('No addresses for hostname');
  if (!found.every(({ address }) => isAllowed(address))) throw addressNotAllowed();
  return first.address;
}
