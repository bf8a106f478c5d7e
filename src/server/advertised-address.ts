import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { addressFamily } from '../meta/address-family.ts';
import { validateNonSpecialIp } from '../resources/validation/addresses.ts';

/**
 * The address at which other machines reach the server: the bind address or, if that is not reachable from outside, an
 * address of this machine. Undefined when this machine has no such address.
 */
export function advertisedAddress(
  bindAddress: string,
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
): string | undefined {
  if (isReachable(bindAddress)) return bindAddress;
  const own = Object.values(interfaces).flatMap((addresses) => addresses ?? []);
  const reachable = own.filter(({ internal, address }) => !internal && isReachable(address));
  const family = addressFamily(bindAddress) === 6 ? 'IPv6' : 'IPv4';
  return (reachable.find((candidate) => candidate.family === family) ?? reachable[0])?.address;
}

/** False for loopback, unspecified and link-local addresses. */
function isReachable(address: string): boolean {
  return validateNonSpecialIp(address, '').length === 0;
}
