import {
  cidrContains,
  familyBits,
  type IpAddress,
  ipText,
  networkAddress,
  type ParsedCidr,
} from '../resources/validation/addresses.ts';

/** Looking further would take longer than the range is worth. */
const longestSearch = 1 << 20;

/** The addresses of one range that services may have: not its first, which names the network, nor for IPv4 its last. */
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

  has(address: IpAddress): boolean {
    if (!cidrContains(this.cidr, address)) return false;
    return address.value >= this.#first && address.value < this.#first + this.#size;
  }

  /** The address that names the network, which stands for any in a dry run. */
  get network(): string {
    return ipText(networkAddress(this.cidr));
  }

  /** Candidates in the order in which they are tried. `random` gives a number from 0 up to 1. */
  *candidates(random: () => number): Generator<string> {
    const { family } = this.cidr.address;
    const low = BigInt(lowBand(this.#size));
    // The low addresses are left for those who ask for a certain one, as long as there are others.
    const bands = [
      { start: this.#first + low, size: this.#size - low },
      { start: this.#first, size: low },
    ];
    for (const { start, size } of bands) {
      const count = Number(size > BigInt(longestSearch) ? BigInt(longestSearch) : size);
      const offset = size === 0n ? 0n : (BigInt(Math.floor(random() * 2 ** 48)) * size) >> 48n;
      for (let step = 0; step < count; step++) {
        yield ipText({ family, value: start + ((offset + BigInt(step)) % size) });
      }
    }
  }
}

/** How many of the first addresses are kept for explicit requests. */
function lowBand(size: bigint): number {
  if (size < 16n) return 0;
  const part = size / 16n;
  return Number(part < 16n ? 16n : part > 256n ? 256n : part);
}
