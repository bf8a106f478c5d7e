import { randomInt, randomUUID } from 'node:crypto';

/**
 * The source of uids and generated names. `of` is their purpose, such as the key of an object: a source with a seed
 * returns the same sequence for the same purpose, regardless of other calls. Not for secrets.
 */
export interface IdentitySource {
  uuid(of: string): string;
  /** Returns an integer from 0 to `limit - 1`. */
  integer(limit: number, of: string): number;
}

export const randomIdentity: IdentitySource = {
  uuid: () => randomUUID(),
  integer: (limit) => randomInt(limit),
};
