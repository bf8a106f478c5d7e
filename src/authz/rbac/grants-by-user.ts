import type { UserInfo } from '../../meta/user.ts';
import type { RbacIndex } from './rbac-index.ts';
import { UserGrants } from './user-grants.ts';

// The cache size for user objects that are created per request, by impersonation or by reviews.
const maxByIdentity = 512;

/** Caches the grants of users until a role or a binding changes. */
export class GrantsByUser {
  readonly #index: RbacIndex;
  readonly #byUser = new WeakMap<UserInfo, UserGrants>();
  readonly #byIdentity = new Map<string, UserGrants>();
  #generation = -1;

  constructor(index: RbacIndex) {
    this.#index = index;
  }

  of(user: UserInfo): UserGrants {
    const known = this.#byUser.get(user);
    if (known !== undefined && known.generation === this.#index.generation) return known;
    const grants = this.#ofIdentity(user);
    this.#byUser.set(user, grants);
    return grants;
  }

  #ofIdentity(user: UserInfo): UserGrants {
    if (this.#generation !== this.#index.generation) {
      this.#generation = this.#index.generation;
      this.#byIdentity.clear();
    }
    const identity = identityOf(user);
    const known = this.#byIdentity.get(identity);
    if (known !== undefined) return known;
    const grants = new UserGrants(this.#index, user);
    if (this.#byIdentity.size >= maxByIdentity) this.#byIdentity.delete(this.#byIdentity.keys().next().value!);
    this.#byIdentity.set(identity, grants);
    return grants;
  }
}

/** Length prefixes make the key unambiguous. */
function identityOf({ name, groups }: UserInfo): string {
  let identity = `${name.length}:${name}`;
  for (const group of groups) identity += `${group.length}:${group}`;
  return identity;
}
