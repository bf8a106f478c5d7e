import { createHash } from 'node:crypto';
import type { IdentitySource } from '../meta/identity-source.ts';

/**
 * Identities that follow from a seed. What is asked for the same thing for the nth time gets the same answer in every run,
 * in whatever order things are asked for.
 */
export class SeededIdentity implements IdentitySource {
  readonly #seed: string;
  /** How often each thing was asked for. */
  readonly #asked: Map<string, number>;

  constructor(seed: string | number, asked: ReadonlyMap<string, number> = new Map()) {
    this.#seed = String(seed);
    this.#asked = new Map(asked);
  }

  /** Goes on like this one. */
  fork(): SeededIdentity {
    return new SeededIdentity(this.#seed, this.#asked);
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
    const count = (this.#asked.get(of) ?? 0) + 1;
    this.#asked.set(of, count);
    return createHash('sha256').update(`${this.#seed}\n${of}\n${count}`).digest();
  }
}
