import { createHash } from 'node:crypto';
import type { IdentitySource } from '../meta/identity-source.ts';

/**
 * Identities derived from a seed. The nth call for the same purpose returns the same value in every run, regardless of
 * other calls.
 */
export class SeededIdentity implements IdentitySource {
  readonly #seed: string;
  /** The number of calls per purpose. */
  readonly #counts: Map<string, number>;

  constructor(seed: string | number, counts: ReadonlyMap<string, number> = new Map()) {
    this.#seed = String(seed);
    this.#counts = new Map(counts);
  }

  /** A copy that continues the same sequence. */
  fork(): SeededIdentity {
    return new SeededIdentity(this.#seed, this.#counts);
  }

  uuid(of: string): string {
    const bytes = this.#bytes(`uuid ${of}`).subarray(0, 16);
    bytes[6] = (bytes[6]! & 0x0f) | 0x40;
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    const hex = bytes.toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  }

  integer(limit: number, of: string): number {
    return this.#bytes(`integer ${of}`).readUIntBE(0, 6) % limit;
  }

  #bytes(of: string): Buffer {
    const count = (this.#counts.get(of) ?? 0) + 1;
    this.#counts.set(of, count);
    return createHash('sha256').update(`${this.#seed}\n${of}\n${count}`).digest();
  }
}
