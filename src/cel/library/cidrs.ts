import type { Environment } from '@marcbachmann/cel-js';
import { CelError } from '../cel-error.ts';
import { defineFunctions, isParsable } from './define-functions.ts';
import { IpAddress } from './ip-address.ts';

/** An address and a prefix length. */
class Cidr {
  readonly ip: IpAddress;
  readonly length: number;

  constructor(ip: IpAddress, length: number) {
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

  contains(ip: IpAddress): boolean {
    return ip.family === this.ip.family && ip.prefix(this.length) === this.ip.prefix(this.length);
  }

  containsAll(other: Cidr): boolean {
    return other.length >= this.length && this.contains(other.ip);
  }

  toString(): string {
    return `${this.ip}/${this.length}`;
  }
}

/** `cidr()`, `isCIDR()` and the functions of address ranges. */
export function registerCidrs(environment: Environment): void {
  environment.registerType('net.CIDR', Cidr);
  environment.registerOperator(
    'net.CIDR == net.CIDR',
    (a: Cidr, b: Cidr) => a.length === b.length && a.ip.equals(b.ip),
  );
  defineFunctions(environment, {
    'cidr(string): net.CIDR': (text: string) => Cidr.parse(text),
    'isCIDR(string): bool': isParsable(Cidr.parse),
    'string(net.CIDR): string': (cidr: Cidr) => cidr.toString(),
    'net.CIDR.containsIP(string): bool': (cidr: Cidr, text: string) => cidr.contains(IpAddress.parse(text)),
    'net.CIDR.containsIP(net.IP): bool': (cidr: Cidr, ip: IpAddress) => cidr.contains(ip),
    'net.CIDR.containsCIDR(string): bool': (cidr: Cidr, text: string) => cidr.containsAll(Cidr.parse(text)),
    'net.CIDR.containsCIDR(net.CIDR): bool': (cidr: Cidr, other: Cidr) => cidr.containsAll(other),
    'net.CIDR.ip(): net.IP': (cidr: Cidr) => cidr.ip,
    'net.CIDR.masked(): net.CIDR': (cidr: Cidr) => new Cidr(cidr.ip.masked(cidr.length), cidr.length),
    'net.CIDR.prefixLength(): int': (cidr: Cidr) => BigInt(cidr.length),
  });
}
