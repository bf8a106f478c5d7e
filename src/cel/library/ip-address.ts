import { goQuote } from '../../meta/go-quote.ts';
import { CelError } from '../cel-error.ts';
import { OpaqueValue } from '../evaluate/values.ts';
import { type ParsedAddress, parseAddress } from './parse-address.ts';

/** An IPv4 or IPv6 address. Zones and IPv4-mapped IPv6 addresses are refused, because they have no unique text. */
export class IpAddress extends OpaqueValue {
  readonly typeName = 'net.IP';
  readonly family: 4 | 6;
  readonly bits: bigint;

  constructor(family: 4 | 6, bits: bigint) {
    super();
    this.family = family;
    this.bits = bits;
  }

  static parse(text: string): IpAddress {
    const { family, bits, zone } = parsedAddress(text);
    if (zone !== undefined) throw new CelError(`IP address ${goQuote(text)} with zone value is not allowed`);
    if (family === 6) refuseMapped(bits, text);
    return new IpAddress(family, bits);
  }

  get width(): number {
    return this.family === 4 ? 32 : 128;
  }

  /** The leading bits of the address. */
  prefix(length: number): bigint {
    return this.bits >> BigInt(this.width - length);
  }

  masked(length: number): IpAddress {
    return new IpAddress(this.family, this.prefix(length) << BigInt(this.width - length));
  }

  /** In bytes. */
  override get size(): number {
    return this.width / 8;
  }

  override equals(other: OpaqueValue): boolean {
    if (!(other instanceof IpAddress)) return false;
    return this.family === other.family && this.bits === other.bits;
  }

  override toString(): string {
    if (this.family === 4) return [24n, 16n, 8n, 0n].map((shift) => (this.bits >> shift) & 0xffn).join('.');
    const groups = Array.from({ length: 8 }, (_, index) =>
      ((this.bits >> BigInt(112 - 16 * index)) & 0xffffn).toString(16),
    );
    return compressed(groups);
  }
}

function parsedAddress(text: string): ParsedAddress {
  try {
    return parseAddress(text);
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    throw new CelError(`IP Address ${goQuote(text)} parse error during conversion from string: ${error.message}`);
  }
}

/** Refuses the IPv6 form of an IPv4 address. The text is for the error. */
export function refuseMapped(bits: bigint, text: string): void {
  if (bits >> 32n === 0xffffn) throw new CelError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
}

/** Replaces the longest run of two or more zeros by `::`, the first one if several are equally long. */
function compressed(groups: readonly string[]): string {
  let [start, length] = [-1, 1];
  for (let index = 0; index < 8; index++) {
    let end = index;
    while (end < 8 && groups[end] === '0') end++;
    if (end - index > length) [start, length] = [index, end - index];
    index = Math.max(index, end - 1);
  }
  if (start < 0) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}
