import { defineFunction, type Overload } from '../checker/declarations.ts';
import { type CallCost, perCharacter, scaled, traversal, unitCost } from '../cost/call-cost.ts';
import { sizeOf } from '../evaluate/values.ts';
import { IpAddress } from './ip-address.ts';
import { isParsable } from './parsable.ts';
import { parseCost } from './text-costs.ts';

const inRange = (prefix4: [string, number], prefix6: [string, number]) => {
  const range = ([text, length]: [string, number]) => ({ prefix: IpAddress.parse(text).prefix(length), length });
  // Parsed on first use, because most processes never need them.
  let ranges: { readonly 4: ReturnType<typeof range>; readonly 6: ReturnType<typeof range> } | undefined;
  return (ip: IpAddress): boolean => {
    ranges ??= { 4: range(prefix4), 6: range(prefix6) };
    const { prefix, length } = ranges[ip.family];
    return ip.prefix(length) === prefix;
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

const parse = { cost: parseCost };
const unit = { cost: unitCost };
const parseAndCompare: CallCost = {
  actual: ([text]) => traversal(sizeOf(text), 2),
  estimate: ({ args }) => ({ cost: scaled(args[0]!.size, 2 * perCharacter) }),
};

/** `ip()`, `isIP()` and the functions of addresses. */
export const ips: readonly Overload[] = [
  defineFunction('ip', { '(string): IP': (text: string) => IpAddress.parse(text) }, parse),
  defineFunction('isIP', { '(string): bool': isParsable(IpAddress.parse) }, parse),
  defineFunction(
    'ip.isCanonical',
    { '(string): bool': (text: string) => IpAddress.parse(text).toString() === text },
    { cost: parseAndCompare },
  ),
  defineFunction('string', { '(IP): string': (ip: IpAddress) => ip.toString() }),
  defineFunction('family', { 'IP.(): int': (ip: IpAddress) => BigInt(ip.family) }, unit),
  defineFunction('isUnspecified', { 'IP.(): bool': isUnspecified }, unit),
  defineFunction('isLoopback', { 'IP.(): bool': isLoopback }, unit),
  defineFunction('isLinkLocalMulticast', { 'IP.(): bool': isLinkLocalMulticast }, unit),
  defineFunction('isLinkLocalUnicast', { 'IP.(): bool': isLinkLocalUnicast }, unit),
  defineFunction('isGlobalUnicast', { 'IP.(): bool': isGlobalUnicast }, unit),
].flat();
