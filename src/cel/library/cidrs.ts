import { CelError } from '../cel-error.ts';
import { defineFunction, type Overload } from '../checker/declarations.ts';
import {
  type CallCost,
  exactly,
  perCharacter,
  plus,
  type Range,
  scaled,
  traversal,
  unitCost,
} from '../cost/call-cost.ts';
import { OpaqueValue, sizeOf } from '../evaluate/values.ts';
import { IpAddress } from './ip-address.ts';
import { isParsable } from './parsable.ts';
import { parseCost } from './text-costs.ts';

/** An address and a prefix length. */
class Cidr extends OpaqueValue {
  readonly typeName = 'net.CIDR';
  readonly ip: IpAddress;
  readonly length: number;

  constructor(ip: IpAddress, length: number) {
    super();
    this.ip = ip;
    this.length = length;
  }

  static parse(text: string): Cidr {
    const [, address = '', digits = ''] = /^([^/]+)\/(0|[1-9][0-9]{0,2})$/.exec(text) ?? [];
    const failure = `network address parse error during conversion from string: ${text}`;
    if (address === '') throw new CelError(failure);
    const ip = IpAddress.parse(address);
    if (Number(digits) > ip.width) throw new CelError(failure);
    return new Cidr(ip, Number(digits));
  }

  /** The bytes of the prefix. */
  override get size(): number {
    return Math.ceil(this.length / 8);
  }

  contains(ip: IpAddress): boolean {
    return ip.family === this.ip.family && ip.prefix(this.length) === this.ip.prefix(this.length);
  }

  containsAll(other: Cidr): boolean {
    return other.length >= this.length && this.contains(other.ip);
  }

  override equals(other: OpaqueValue): boolean {
    return other instanceof Cidr && this.length === other.length && this.ip.equals(other.ip);
  }

  override toString(): string {
    return `${this.ip}/${this.length}`;
  }
}

/** An address has four or sixteen bytes. */
const addressSize: Range = { min: 4, max: 16 };

/** Addresses are compared byte by byte. A text is parsed first. Ranges are also masked. */
function containsCost({ range, text }: { readonly range: boolean; readonly text: boolean }): CallCost {
  return {
    actual: ([cidr, other]) => {
      const size = sizeOf(cidr);
      return traversal(2 * size) + (range ? traversal(size) + 1 : 0) + (text ? traversal(sizeOf(other)) : 0);
    },
    estimate: ({ args }) => {
      let cost = scaled(plus(addressSize, addressSize), perCharacter);
      if (range) cost = plus(plus(cost, scaled(addressSize, perCharacter)), exactly(1));
      return { cost: text ? plus(cost, scaled(args[0]!.size, perCharacter)) : cost };
    },
  };
}

const parse = { cost: parseCost };
const unit = { cost: unitCost };

/** `cidr()`, `isCIDR()` and the functions of address ranges. */
export const cidrs: readonly Overload[] = [
  defineFunction('cidr', { '(string): CIDR': (text: string) => Cidr.parse(text) }, parse),
  defineFunction('isCIDR', { '(string): bool': isParsable(Cidr.parse) }, parse),
  defineFunction('string', { '(CIDR): string': (cidr: Cidr) => cidr.toString() }),
  defineFunction(
    'containsIP',
    { 'CIDR.(string): bool': (cidr: Cidr, text: string) => cidr.contains(IpAddress.parse(text)) },
    { cost: containsCost({ range: false, text: true }) },
  ),
  defineFunction(
    'containsIP',
    { 'CIDR.(IP): bool': (cidr: Cidr, ip: IpAddress) => cidr.contains(ip) },
    { cost: containsCost({ range: false, text: false }) },
  ),
  defineFunction(
    'containsCIDR',
    { 'CIDR.(string): bool': (cidr: Cidr, text: string) => cidr.containsAll(Cidr.parse(text)) },
    { cost: containsCost({ range: true, text: true }) },
  ),
  defineFunction(
    'containsCIDR',
    { 'CIDR.(CIDR): bool': (cidr: Cidr, other: Cidr) => cidr.containsAll(other) },
    { cost: containsCost({ range: true, text: false }) },
  ),
  defineFunction('ip', { 'CIDR.(): IP': (cidr: Cidr) => cidr.ip }, unit),
  defineFunction(
    'masked',
    { 'CIDR.(): CIDR': (cidr: Cidr) => new Cidr(cidr.ip.masked(cidr.length), cidr.length) },
    unit,
  ),
  defineFunction('prefixLength', { 'CIDR.(): int': (cidr: Cidr) => BigInt(cidr.length) }, unit),
].flat();
