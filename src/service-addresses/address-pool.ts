import {
  cidrContains,
  familyBits,
  type IpAddress,
  ipText,
  networkAddress,
  type ParsedCidr,
} from '../resources/validation/addresses.ts';

/** Limits the time of one search in a very large range. */
const maxSearchSteps = 1 << 20;

/**
 * The addresses of one range that services may have. Excludes the network address, and for IPv4 the broadcast address.
 */
export class AddressPool {
  readonly cidr: ParsedCidr;
  readonly #first: bigint;
  readonly #size: bigint;

  constructor(cidr: ParsedCidr) {
    this.cidr = cidr;
    const { family } = cidr.address;
    const all = 1n << BigInt(familyBits(family) - cidr.prefixLength);
    const isTiny = all <= 2n;
    this.#first = networkAddress(cidr).value + (isTiny ? 0n : 1n);
    this.#size = isTiny ? all : all - (family === 'IPv4' ? 2n : 1n);
  }

  /** Whether services may have the address. */
  has(address: IpAddress): boolean {
    if (!cidrContains(this.cidr, address)) return false;
    return address.value >= this.#first && address.value < this.#first + this.#size;
  }

  /** The network address. A dry run shows it in place of the address that it does not allocate. */
  get network(): string {
    return ipText(networkAddress(this.cidr));
  }

  /** Yields candidates in the order in which they are tried. `random` returns a number in [0, 1). */
  *candidates(random: () => number): Generator<string> {
    const { family } = this.cidr.address;
    const low = BigInt(lowBand(this.#size));
    // The low addresses are reserved for explicit requests as long as others are free.
    const bands = [
      { start: this.#first + low, size: this.#size - low },
      { start: this.#first, size: low },
    ];
    for (const { start, size } of bands) {
      const count = Number(size > BigInt(maxSearchSteps) ? BigInt(maxSearchSteps) : size);
      const offset = size === 0n ? 0n : (BigInt(Math.floor(random() * 2 ** 48)) * size) >> 48n;
      for (let step = 0; step < count; step++) {
        yield ipText({ family, value: start + ((offset + BigInt(step)) % size) });
      }
    }
  }
}

/** The number of low addresses that are reserved for explicit requests. */
function lowBand(size: bigint): number {
  if (size < 16n) return 0;
  const band = size / 16n;
  return Number(band < 16n ? 16n : band > 256n ? 256n : band);
}
