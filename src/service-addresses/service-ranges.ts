import {
  type IpAddress,
  ipText,
  networkAddress,
  type ParsedCidr,
  parseCidr,
} from '../resources/validation/addresses.ts';
import type { AddressFamily } from './address-family.ts';

/** The ranges that a server is started with: one, or one of each family. The family of the first is the default. */
export interface ServiceRanges {
  readonly cidrs: readonly [ParsedCidr, ...ParsedCidr[]];
}

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Reads `10.0.0.0/24` or `10.0.0.0/24,fd00::/108`. Throws a RangeError for anything else. */
export function parseServiceRanges(text: string): ServiceRanges {
  const [first, second, ...more] = text.split(',').map((part) => {
    const cidr = parseCidr(part.trim());
    if (cidr === undefined) throw new RangeError(`${JSON.stringify(part)} is no range of addresses for services`);
    return { ...cidr, address: { ...cidr.address, ...networkAddress(cidr) } };
  });
  if (second === undefined) return { cidrs: [first!] };
  if (more.length > 0 || first!.address.family === second.address.family) {
    throw new RangeError('services take their addresses from one range, or from one of each IP family');
  }
  return { cidrs: [first!, second] };
}

/** Reads `30000-32767`, or `30000+2767` for the same. Throws a RangeError for anything else. */
export function parseNodePortRange(text: string): PortRange {
  const match = /^(\d+)(?:([-+])(\d+))?$/.exec(text.trim());
  const first = Number(match?.[1]);
  const second = Number(match?.[3] ?? first);
  const last = match?.[2] === '+' ? first + second : second;
  if (match === null || first < 1 || last > 65_535 || last < first) {
    throw new RangeError(`${JSON.stringify(text)} is no range of ports for services`);
  }
  return { first, last };
}

export function familiesOf({ cidrs }: ServiceRanges): readonly AddressFamily[] {
  return cidrs.map(({ address }) => address.family);
}

/** The first address of the first range: that of the service `kubernetes`. */
export function serviceAddress({ cidrs: [cidr] }: ServiceRanges): string {
  const { family, value }: IpAddress = networkAddress(cidr);
  return ipText({ family, value: value + 1n });
}
