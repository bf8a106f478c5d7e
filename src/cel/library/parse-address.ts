import { goQuote } from '../../meta/go-quote.ts';
import { CelError } from '../cel-error.ts';

/** The bits of an address, and its zone if it has one. */
export interface ParsedAddress {
  readonly family: 4 | 6;
  readonly bits: bigint;
  readonly zone: string | undefined;
}

export interface ParsedPrefix {
  readonly address: ParsedAddress;
  readonly length: number;
}

/** Parses an address as Go's `netip.ParseAddr` does. Throws its errors. */
export function parseAddress(text: string): ParsedAddress {
  const first = /[.:%]/.exec(text)?.[0];
  if (first === '.') return { family: 4, bits: ipv4Bits(text, text), zone: undefined };
  if (first === ':') return parseIpv6(text);
  throw addressError(text, first === undefined ? 'unable to parse IP' : 'missing IPv6 address');
}

/** Parses an address with the length of its prefix as Go's `netip.ParsePrefix` does. Throws its errors. */
export function parsePrefix(text: string): ParsedPrefix {
  const slash = text.lastIndexOf('/');
  if (slash < 0) throw prefixError(text, "no '/'");
  const address = addressOfPrefix(text, slash);
  if (address.zone !== undefined) throw prefixError(text, 'IPv6 zones cannot be present in a prefix');
  const digits = text.slice(slash + 1);
  const length = /^(?:[0-9]|[1-9][0-9]{1,18})$/.test(digits) ? BigInt(digits) : undefined;
  if (length === undefined || length >= 2n ** 63n) throw prefixError(text, `bad bits after slash: ${goQuote(digits)}`);
  if (length > (address.family === 4 ? 32n : 128n)) throw prefixError(text, 'prefix length out of range');
  return { address, length: Number(length) };
}

function addressOfPrefix(text: string, slash: number): ParsedAddress {
  try {
    return parseAddress(text.slice(0, slash));
  } catch (error) {
    if (error instanceof CelError) throw prefixError(text, error.message);
    throw error;
  }
}

function prefixError(text: string, problem: string): CelError {
  return new CelError(`netip.ParsePrefix(${goQuote(text)}): ${problem}`);
}

function addressError(text: string, problem: string, at = ''): CelError {
  return new CelError(`ParseAddr(${goQuote(text)}): ${problem}${at === '' ? '' : ` (at ${goQuote(at)})`}`);
}

/** The bits of four decimal fields, which may be the end of a longer text. */
function ipv4Bits(text: string, part: string): bigint {
  let bits = 0n;
  let field = 0;
  let digits = 0;
  let dots = 0;
  for (let index = 0; index < part.length; index++) {
    const character = part[index]!;
    if (character >= '0' && character <= '9') {
      if (digits === 1 && field === 0) throw addressError(text, 'IPv4 field has octet with leading zero');
      field = field * 10 + Number(character);
      digits++;
      if (field > 255) throw addressError(text, 'IPv4 field has value >255');
    } else if (character === '.') {
      if (index === 0 || index === part.length - 1 || part[index - 1] === '.') {
        throw addressError(text, 'IPv4 field must have at least one digit', part.slice(index));
      }
      if (dots === 3) throw addressError(text, 'IPv4 address too long');
      bits = bits * 256n + BigInt(field);
      dots++;
      field = 0;
      digits = 0;
    } else throw addressError(text, 'unexpected character', part.slice(index));
  }
  if (dots < 3) throw addressError(text, 'IPv4 address too short');
  return bits * 256n + BigInt(field);
}

function parseIpv6(text: string): ParsedAddress {
  const percent = text.indexOf('%');
  if (percent === text.length - 1) throw addressError(text, 'zone must be a non-empty string');
  const zone = percent < 0 ? undefined : text.slice(percent + 1);
  return { family: 6, bits: new Ipv6Reader(text, percent < 0 ? text : text.slice(0, percent)).read(), zone };
}

/** Reads groups of hexadecimal digits, with `::` for groups of zeros and possibly an IPv4 address at the end. */
class Ipv6Reader {
  readonly #text: string;
  #rest: string;
  readonly #groups: bigint[] = [];
  /** The number of groups before `::`. */
  #ellipsis: number | undefined;

  constructor(text: string, address: string) {
    this.#text = text;
    this.#rest = address;
  }

  read(): bigint {
    if (this.#rest.startsWith('::')) {
      this.#ellipsis = 0;
      this.#rest = this.#rest.slice(2);
    }
    if (this.#rest !== '' || this.#ellipsis === undefined) while (this.#groups.length < 8 && this.#readGroup());
    if (this.#rest !== '') throw this.#error('trailing garbage after address');
    return this.#expanded().reduce((bits, group) => bits * 0x10000n + group, 0n);
  }

  /** Returns whether another group must follow. */
  #readGroup(): boolean {
    const [digits] = /^[0-9a-fA-F]{0,5}/.exec(this.#rest)!;
    if (digits.length > 4) throw this.#error('each group must have 4 or less digits');
    if (digits === '') throw this.#error('each colon-separated field must have at least one digit');
    if (this.#rest[digits.length] === '.') {
      this.#readIpv4();
      return false;
    }
    this.#groups.push(BigInt(`0x${digits}`));
    this.#rest = this.#rest.slice(digits.length);
    return this.#rest !== '' && this.#readSeparator();
  }

  #readSeparator(): boolean {
    if (this.#rest[0] !== ':') throw this.#error('unexpected character, want colon');
    if (this.#rest.length === 1) throw this.#error('colon must be followed by more characters');
    this.#rest = this.#rest.slice(1);
    if (this.#rest[0] !== ':') return true;
    if (this.#ellipsis !== undefined) throw this.#error('multiple :: in address');
    this.#ellipsis = this.#groups.length;
    this.#rest = this.#rest.slice(1);
    return this.#rest !== '';
  }

  #readIpv4(): void {
    if (this.#ellipsis === undefined && this.#groups.length !== 6) {
      throw this.#error('embedded IPv4 address must replace the final 2 fields of the address');
    }
    if (this.#groups.length > 6) {
      throw this.#error('too many hex fields to fit an embedded IPv4 at the end of the address');
    }
    const bits = ipv4Bits(this.#text, this.#rest);
    this.#groups.push(bits >> 16n, bits & 0xffffn);
    this.#rest = '';
  }

  #expanded(): readonly bigint[] {
    const missing = 8 - this.#groups.length;
    if (this.#ellipsis === undefined) {
      if (missing === 0) return this.#groups;
      throw addressError(this.#text, 'address string too short');
    }
    if (missing === 0) throw addressError(this.#text, 'the :: must expand to at least one field of zeros');
    const zeros = new Array<bigint>(missing).fill(0n);
    return [...this.#groups.slice(0, this.#ellipsis), ...zeros, ...this.#groups.slice(this.#ellipsis)];
  }

  #error(problem: string): CelError {
    return addressError(this.#text, problem, this.#rest);
  }
}
