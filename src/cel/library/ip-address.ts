import { isIPv4, isIPv6 } from 'node:net';
import { CelError } from '../cel-error.ts';
import { OpaqueValue } from '../evaluate/values.ts';

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
    if (isIPv4(text))
      return new IpAddress(
        4,
        text.split('.').reduce((bits, octet) => bits * 256n + BigInt(octet), 0n),
      );
    if (!isIPv6(text)) throw new CelError(`IP Address '${text}' parse error during conversion from string`);
    if (text.includes('%')) throw new CelError(`IP address '${text}' with zone value is not allowed`);
    if (text.includes('.')) throw new CelError(`IPv4-mapped IPv6 address '${text}' is not allowed`);
    const bits = bitsOf(text);
    if (bits >> 32n === 0xffffn) throw new CelError(`IPv4-mapped IPv6 address '${text}' is not allowed`);
    return new IpAddress(6, bits);
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

function bitsOf(text: string): bigint {
  const [head = '', tail] = text.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const middle = tail === undefined ? [] : new Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...middle, ...last].reduce((bits, group) => bits * 0x10000n + BigInt(`0x${group}`), 0n);
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
