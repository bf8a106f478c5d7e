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
import { IpAddress, refuseMapped } from './ip-address.ts';
import { isParsable } from './parsable.ts';
import { type ParsedPrefix, parsePrefix } from './parse-address.ts';
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
    const { address, length } = parsedPrefix(text);
    return new Cidr(new IpAddress(address.family, address.bits), length);
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

const failure = 'network address parse error during conversion from string: ';

function parsedPrefix(text: string): ParsedPrefix {
  let prefix: ParsedPrefix | undefined;
  try {
    prefix = parsePrefix(text);
    if (prefix.address.family === 6) refuseMapped(prefix.address.bits, text);
    return prefix;
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    // Kubernetes puts this in front of the errors of the parser twice.
    throw new CelError(`${failure}${prefix === undefined ? failure : ''}${error.message}`);
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
