import type { Environment } from '@marcbachmann/cel-js';
import { defineFunctions, defineNamespace, isParsable } from './define-functions.ts';
import { IpAddress } from './ip-address.ts';

const inRange = (prefix4: [string, number] | undefined, prefix6: [string, number]) => {
  const range4 = prefix4 && { prefix: IpAddress.parse(prefix4[0]).prefix(prefix4[1]), length: prefix4[1] };
  const range6 = { prefix: IpAddress.parse(prefix6[0]).prefix(prefix6[1]), length: prefix6[1] };
  return (ip: IpAddress): boolean => {
    const range = ip.family === 4 ? range4 : range6;
    return range !== undefined && ip.prefix(range.length) === range.prefix;
  };
};

const isUnspecified = inRange(['0.0.0.0', 32], ['::', 128]);
const isLoopback = inRange(['127.0.0.0', 8], ['::1', 128]);
const isMulticast = inRange(['224.0.0.0', 4], ['ff00::', 8]);
const isLinkLocalUnicast = inRange(['169.254.0.0', 16], ['fe80::', 10]);
const isLinkLocalMulticast4 = inRange(['224.0.0.0', 24], ['ff02::', 16]);
const isBroadcast = inRange(['255.255.255.255', 32], ['::', 128]);

/** The scope is in the low half of the second byte. The flags in the high half do not matter. */
function isLinkLocalMulticast(ip: IpAddress): boolean {
  if (ip.family === 4) return isLinkLocalMulticast4(ip);
  return isMulticast(ip) && (ip.prefix(16) & 0xfn) === 2n;
}

function isGlobalUnicast(ip: IpAddress): boolean {
  return ![isUnspecified, isLoopback, isMulticast, isLinkLocalUnicast, isBroadcast].some((test) => test(ip));
}

/** `ip()`, `isIP()` and the functions of addresses. */
export function registerIps(environment: Environment): void {
  environment.registerType('net.IP', IpAddress);
  environment.registerOperator('net.IP == net.IP', (a: IpAddress, b: IpAddress) => a.equals(b));
  defineFunctions(environment, {
    'ip(string): net.IP': (text: string) => IpAddress.parse(text),
    'isIP(string): bool': isParsable(IpAddress.parse),
    'string(net.IP): string': (ip: IpAddress) => ip.toString(),
    'net.IP.family(): int': (ip: IpAddress) => BigInt(ip.family),
    'net.IP.isUnspecified(): bool': isUnspecified,
    'net.IP.isLoopback(): bool': isLoopback,
    'net.IP.isLinkLocalMulticast(): bool': isLinkLocalMulticast,
    'net.IP.isLinkLocalUnicast(): bool': isLinkLocalUnicast,
    'net.IP.isGlobalUnicast(): bool': isGlobalUnicast,
  });
  defineNamespace(environment, 'ip', {
    'isCanonical(string): bool': (text: string) => IpAddress.parse(text).toString() === text,
  });
}
