import { randomInt, randomUUID } from 'node:crypto';

/**
 * Where a server takes the parts of names that nobody chooses. `of` says for what, such as the key of an object: a source
 * with a seed gives the same answers for the same things, whatever else is asked in between. Not for secrets.
 */
export interface IdentitySource {
  uuid(of: string): string;
  /** An integer from 0 to below `limit`. */
  integer(limit: number, of: string): number;
}

export const randomIdentity: IdentitySource = {
  uuid: () => randomUUID(),
  integer: (limit) => randomInt(limit),
};
