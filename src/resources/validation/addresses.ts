import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';

/** A parsed address. An IPv4-mapped IPv6 address counts as IPv4. */
export interface IpAddress {
  readonly family: 'IPv4' | 'IPv6';
  readonly value: bigint;
}

export interface ParsedIp extends IpAddress {
  /** Some parsers read numbers with leading zeros as octal. */
  readonly hasLeadingZeros: boolean;
  /** Written as `::ffff:10.0.0.1`. */
  readonly isMapped: boolean;
}

export interface ParsedCidr {
  readonly address: ParsedIp;
  /** Relative to the length of an address of the family, also for IPv4-mapped addresses. */
  readonly prefixLength: number;
  readonly hasLeadingZeros: boolean;
}

const digits = /^[0-9]+$/;
const zero = '0'.charCodeAt(0);
/** Character codes relative to that of zero. */
const dot = '.'.charCodeAt(0) - zero;
const hexDigits = /^[0-9a-fA-F]+$/;
const mappedPrefix = 0xffffn;

export const notIp = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
export const notCidr = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** Accepts everything that kube-apiserver ever accepted, including ambiguous notations that validation now rejects. */
export function parseIp(text: string): ParsedIp | undefined {
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '.') return parseIpv4(text);
    if (character === ':') return parseIpv6(text);
  }
  return undefined;
}

function parseIpv4(text: string): ParsedIp | undefined {
  let value = 0;
  let hasLeadingZeros = false;
  let octets = 0;
  let octet = 0;
  // The index at which the octet begins.
  let start = 0;
  // Parses digit by digit, which is faster: an object may have thousands of addresses.
  for (let index = 0; index <= text.length; index++) {
    const digit = index === text.length ? dot : text.charCodeAt(index) - zero;
    if (digit === dot) {
      if (index === start || ++octets > 4) return undefined;
      if (index - start > 1 && text.charCodeAt(start) === zero) hasLeadingZeros = true;
      value = value * 256 + octet;
      octet = 0;
      start = index + 1;
    } else {
      if (digit < 0 || digit > 9) return undefined;
      octet = octet * 10 + digit;
      if (octet > 255) return undefined;
    }
  }
  if (octets !== 4) return undefined;
  return { family: 'IPv4', value: BigInt(value), hasLeadingZeros, isMapped: false };
}

function parseIpv6(text: string): ParsedIp | undefined {
  const gap = text.indexOf('::');
  if (gap !== text.lastIndexOf('::')) return undefined;
  const head = gap < 0 ? text : text.slice(0, gap);
  const tail = gap < 0 ? '' : text.slice(gap + 2);
  const first = ipv6Groups(head, { mayEndInIpv4: gap < 0 });
  const last = ipv6Groups(tail, { mayEndInIpv4: true });
  if (first === undefined || last === undefined) return undefined;
  const missing = 8 - first.groups.length - last.groups.length;
  if (gap < 0 ? missing !== 0 : missing < 1) return undefined;
  let value = 0n;
  for (const group of first.groups) value = (value << 16n) | BigInt(group);
  value <<= BigInt(16 * Math.max(missing, 0));
  for (const group of last.groups) value = (value << 16n) | BigInt(group);
  const hasLeadingZeros = first.hasLeadingZeros || last.hasLeadingZeros;
  const isMapped = value >> 32n === mappedPrefix;
  if (isMapped) return { family: 'IPv4', value: value & 0xffffffffn, hasLeadingZeros, isMapped };
  return { family: 'IPv6', value, hasLeadingZeros, isMapped };
}

/** Parses the groups between colons. Only the last group of an address may have IPv4 notation. */
function ipv6Groups(
  text: string,
  { mayEndInIpv4 }: { readonly mayEndInIpv4: boolean },
): { readonly groups: readonly number[]; readonly hasLeadingZeros: boolean } | undefined {
  const groups: number[] = [];
  let hasLeadingZeros = false;
  if (text === '') return { groups, hasLeadingZeros };
  const segments = text.split(':');
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index]!;
    if (mayEndInIpv4 && index === segments.length - 1 && segment.includes('.')) {
      const embedded = parseIpv4(segment);
      if (embedded === undefined) return undefined;
      if (embedded.hasLeadingZeros) hasLeadingZeros = true;
      groups.push(Number(embedded.value >> 16n), Number(embedded.value & 0xffffn));
      continue;
    }
    const group = hexDigits.test(segment) ? Number.parseInt(segment, 16) : 0x10000;
    if (group > 0xffff) return undefined;
    if (segment.length > 4) hasLeadingZeros = true;
    groups.push(group);
  }
  return { groups, hasLeadingZeros };
}

/** Formats an address in its canonical form (RFC 5952 for IPv6). */
export function ipText({ family, value }: IpAddress): string {
  if (family === 'IPv4') {
    const number = Number(value);
    return `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`;
  }
  const groups: number[] = [];
  for (let shift = 112n; shift >= 0n; shift -= 16n) groups.push(Number((value >> shift) & 0xffffn));
  const { start, length } = longestZeroRun(groups);
  const formatGroups = (some: readonly number[]) => some.map((group) => group.toString(16)).join(':');
  if (length < 2) return formatGroups(groups);
  return `${formatGroups(groups.slice(0, start))}::${formatGroups(groups.slice(start + length))}`;
}

function longestZeroRun(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (end < groups.length && groups[end] === 0) end++;
    if (end - start > best.length) best = { start, length: end - start };
    if (end > start) start = end;
  }
  return best;
}

export function isIp(text: string): boolean {
  return parseIp(text) !== undefined;
}

/** Returns undefined for an invalid address. */
export function ipFamily(text: string): 'IPv4' | 'IPv6' | undefined {
  return parseIp(text)?.family;
}

export function familyBits(family: 'IPv4' | 'IPv6'): number {
  return family === 'IPv4' ? 32 : 128;
}

export function parseCidr(text: string): ParsedCidr | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const address = parseIp(text.slice(0, slash));
  const lengthText = text.slice(slash + 1);
  if (address === undefined || !digits.test(lengthText)) return undefined;
  const written = Number(lengthText);
  if (written > (address.isMapped ? 128 : familyBits(address.family))) return undefined;
  const hasLeadingZeros = address.hasLeadingZeros || (lengthText.length > 1 && lengthText.startsWith('0'));
  return { address, prefixLength: address.isMapped ? Math.max(written - 96, 0) : written, hasLeadingZeros };
}

/** Returns the first address of the range. */
export function networkAddress({ address: { family, value }, prefixLength }: ParsedCidr): IpAddress {
  const free = BigInt(familyBits(family) - prefixLength);
  return { family, value: (value >> free) << free };
}

export function cidrText(cidr: ParsedCidr): string {
  return `${ipText(networkAddress(cidr))}/${cidr.prefixLength}`;
}

export function cidrContains(cidr: ParsedCidr, address: IpAddress): boolean {
  if (cidr.address.family !== address.family) return false;
  const free = BigInt(familyBits(address.family) - cidr.prefixLength);
  return cidr.address.value >> free === address.value >> free;
}

/** Accepts any unambiguous notation, and every address that the old object already has. */
export function validateIp(text: string, path: string, existing?: readonly string[]): FieldError[] {
  if (existing?.includes(text)) return [];
  const detail = ipProblem(text);
  return detail === undefined ? [] : [invalidValue(path, text, detail)];
}

/** Returns the first problem of an address, or undefined if it is valid. */
export function ipProblem(text: string): string | undefined {
  const parsed = parseIp(text);
  if (parsed === undefined) return notIp;
  if (parsed.hasLeadingZeros) return 'must not have leading 0s';
  return parsed.isMapped ? 'must not be an IPv4-mapped IPv6 address' : undefined;
}

/** Like `ipProblem`, for fields that require the canonical form. */
export function canonicalIpProblem(text: string): string | undefined {
  const problem = ipProblem(text);
  if (problem !== undefined) return problem;
  const canonical = ipText(parseIp(text)!);
  return canonical === text ? undefined : `must be in canonical form (${goQuote(canonical)})`;
}

export function validateCidr(text: string, path: string, existing?: readonly string[]): FieldError[] {
  if (existing?.includes(text)) return [];
  const detail = cidrProblem(text);
  return detail === undefined ? [] : [invalidValue(path, text, detail)];
}

export function validateCanonicalCidr(text: string, path: string): FieldError[] {
  const detail = cidrProblem(text) ?? notCanonicalCidr(text);
  return detail === undefined ? [] : [invalidValue(path, text, detail)];
}

function notCanonicalCidr(text: string): string | undefined {
  const canonical = cidrText(parseCidr(text)!);
  return canonical === text ? undefined : `must be in canonical form (${goQuote(canonical)})`;
}

function cidrProblem(text: string): string | undefined {
  const parsed = parseCidr(text);
  if (parsed === undefined) return notCidr;
  if (parsed.hasLeadingZeros) return 'must not have leading 0s in IP or prefix length';
  if (parsed.address.isMapped) return 'must not have an IPv4-mapped IPv6 address';
  if (networkAddress(parsed).value !== parsed.address.value) return 'must not have bits set beyond the prefix length';
  return undefined;
}

/** Validates the address of a network interface, with the length of the prefix of its network. */
export function validateInterfaceAddress(text: string, path: string): FieldError[] {
  const parsed = parseCidr(text);
  if (parsed === undefined) {
    const detail = 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)';
    return [invalidValue(path, text, detail)];
  }
  const canonical = `${ipText(parsed.address)}/${parsed.prefixLength}`;
  return canonical === text ? [] : [invalidValue(path, text, `must be in canonical form (${goQuote(canonical)})`)];
}

/** Rejects invalid addresses and those that are not routable: unspecified, loopback and link-local ones. */
export function validateNonSpecialIp(text: string, path: string): FieldError[] {
  const parsed = parseIp(text);
  if (parsed === undefined) return [invalidValue(path, text, 'must be a valid IP address')];
  const problems = specialProblems(parsed, text);
  return problems.map((detail) => invalidValue(path, text, detail));
}

const ipv4Ranges = { loopback: 127n, linkLocal: 0xa9fen, linkLocalMulticast: 0xe00000n };
const ipv6Ranges = { loopback: 1n, linkLocal: 0xfe80n >> 6n };

function specialProblems({ family, value }: IpAddress, text: string): string[] {
  const isIpv4 = family === 'IPv4';
  const problems: string[] = [];
  if (value === 0n) problems.push(`may not be unspecified (${text})`);
  if (isIpv4 ? value >> 24n === ipv4Ranges.loopback : value === ipv6Ranges.loopback) {
    problems.push('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  }
  if (isIpv4 ? value >> 16n === ipv4Ranges.linkLocal : value >> 118n === ipv6Ranges.linkLocal) {
    problems.push('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  }
  const isMulticast = isIpv4 ? value >> 8n === ipv4Ranges.linkLocalMulticast : ((value >> 112n) & 0xff0fn) === 0xff02n;
  if (isMulticast) problems.push('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
  return problems;
}

/** Warns about valid addresses that are not in canonical form. Invalid addresses get no warning. */
export function ipWarnings(
  path: string,
  text: string,
  verdict = 'will be considered invalid in a future Kubernetes release',
): string[] {
  const parsed = parseIp(text);
  if (parsed === undefined) return [];
  const canonical = ipText(parsed);
  if (parsed.hasLeadingZeros || parsed.isMapped) {
    const problem = `non-standard IP address ${goQuote(text)} ${verdict}`;
    return [`${path}: ${problem}: use ${goQuote(canonical)}`];
  }
  if (parsed.family === 'IPv4' || canonical === text) return [];
  return [`${path}: IPv6 address ${goQuote(text)} should be in RFC 5952 canonical format (${goQuote(canonical)})`];
}

export function cidrWarnings(path: string, text: string): string[] {
  const parsed = parseCidr(text);
  if (parsed === undefined) return [];
  const { address } = parsed;
  const canonical = cidrText(parsed);
  const warnings: string[] = [];
  if (networkAddress(parsed).value !== address.value) {
    const single = `${ipText(address)}/${familyBits(address.family)}`;
    const choice = `(should be ${goQuote(canonical)} or ${goQuote(single)}?)`;
    warnings.push(`${path}: CIDR value ${goQuote(text)} is ambiguous in this context ${choice}`);
  }
  if (parsed.hasLeadingZeros || address.isMapped) {
    const problem = `non-standard CIDR value ${goQuote(text)} will be considered invalid in a future Kubernetes release`;
    warnings.push(`${path}: ${problem}: use ${goQuote(canonical)}`);
  }
  if (warnings.length === 0 && address.family === 'IPv6' && canonical !== text) {
    const advice = `should be in RFC 5952 canonical format (${goQuote(canonical)})`;
    warnings.push(`${path}: IPv6 CIDR value ${goQuote(text)} ${advice}`);
  }
  return warnings;
}
