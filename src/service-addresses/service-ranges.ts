import {
  type IpAddress,
  ipText,
  networkAddress,
  type ParsedCidr,
  parseCidr,
} from '../resources/validation/addresses.ts';
import type { AddressFamily } from './address-family.ts';

/** The ranges from the flags of the server: one, or one per IP family. The family of the first is the default. */
export interface ServiceRanges {
  readonly cidrs: readonly [ParsedCidr, ...ParsedCidr[]];
}

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Parses `10.0.0.0/24` or `10.0.0.0/24,fd00::/108`. Throws a RangeError for anything else. */
export function parseServiceRanges(text: string): ServiceRanges {
  const [first, second, ...more] = text.split(',').map((entry) => {
    const cidr = parseCidr(entry.trim());
    if (cidr === undefined) throw new RangeError(`${JSON.stringify(entry)} is not a valid IP range for services`);
    return { ...cidr, address: { ...cidr.address, ...networkAddress(cidr) } };
  });
  if (second === undefined) return { cidrs: [first!] };
  if (more.length > 0 || first!.address.family === second.address.family) {
    throw new RangeError('services need one IP range, or one range per IP family');
  }
  return { cidrs: [first!, second] };
}

/** Parses `30000-32767`, or `30000+2767` for the same range. Throws a RangeError for anything else. */
export function parseNodePortRange(text: string): PortRange {
  const match = /^(\d+)(?:([-+])(\d+))?$/.exec(text.trim());
  const first = Number(match?.[1]);
  const second = Number(match?.[3] ?? first);
  const last = match?.[2] === '+' ? first + second : second;
  if (match === null || first < 1 || last > 65_535 || last < first) {
    throw new RangeError(`${JSON.stringify(text)} is not a valid range of node ports`);
  }
  return { first, last };
}

export function familiesOf({ cidrs }: ServiceRanges): readonly AddressFamily[] {
  return cidrs.map(({ address }) => address.family);
}

/** The first address of the first range, which belongs to the service `kubernetes`. */
export function serviceAddress({ cidrs: [cidr] }: ServiceRanges): string {
  const { family, value }: IpAddress = networkAddress(cidr);
  return ipText({ family, value: value + 1n });
}
