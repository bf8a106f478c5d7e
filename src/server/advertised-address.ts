import { isIPv6 } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { validateNonSpecialIp } from '../resources/validation/addresses.ts';

/**
 * Under which address other machines look for the server: the one that it listens on or, where that says nothing to
 * others, one of this machine's. Undefined on a machine that nobody can reach.
 */
export function advertisedAddress(
  bindAddress: string,
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
): string | undefined {
  if (isMeaningful(bindAddress)) return bindAddress;
  const own = Object.values(interfaces).flatMap((addresses) => addresses ?? []);
  const reachable = own.filter(({ internal, address }) => !internal && isMeaningful(address));
  const family = isIPv6(bindAddress) ? 'IPv6' : 'IPv4';
  return (reachable.find((candidate) => candidate.family === family) ?? reachable[0])?.address;
}

/** Not the address of the machine for itself, of any machine, or of one on the same wire. */
function isMeaningful(address: string): boolean {
  return validateNonSpecialIp(address, '').length === 0;
}
