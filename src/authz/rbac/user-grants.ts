import type { UserInfo } from '../../meta/user.ts';
import { Grant } from './grant.ts';
import type { RbacIndex } from './rbac-index.ts';
import { RuleSet } from './rule-set.ts';

// Clients choose the namespaces in requests.
const maxNamespaces = 1024;

/** The grants of one user at one generation of the index. Namespaces are evaluated on first use. */
export class UserGrants {
  /** Generation of the index. The grants are void when the index has a newer one. */
  readonly generation: number;
  readonly cluster: RuleSet;
  readonly #index: RbacIndex;
  readonly #user: UserInfo;
  readonly #namespaces = new Map<string, RuleSet>();

  constructor(index: RbacIndex, user: UserInfo) {
    this.generation = index.generation;
    this.#index = index;
    this.#user = user;
    this.cluster = new RuleSet(this.#grantsOf(''));
  }

  /**
   * Only the rules of the namespace, which must not be empty. Returns those of cluster scope when the namespace has
   * none.
   */
  inNamespace(namespace: string): RuleSet {
    return this.#namespaces.get(namespace) ?? this.#add(namespace);
  }

  /** All grants in evaluation order, followed by those in other namespaces. */
  *byProximity(namespace: string): Iterable<Grant> {
    yield* this.cluster.grants;
    if (namespace !== '') yield* this.#grantsOf(namespace);
    for (const other of this.#index.namespacesOf(this.#user)) {
      if (other !== namespace) yield* this.#grantsOf(other);
    }
  }

  #add(namespace: string): RuleSet {
    const grants = this.#grantsOf(namespace);
    const rules = grants.length === 0 ? this.cluster : new RuleSet(grants, this.cluster.grants);
    if (this.#namespaces.size >= maxNamespaces) this.#namespaces.clear();
    this.#namespaces.set(namespace, rules);
    return rules;
  }

  #grantsOf(namespace: string): Grant[] {
    return this.#index
      .bindingsOf(this.#user, namespace)
      .map(({ binding, subject }) => new Grant(binding, subject, this.#index.rulesOf(binding.roleRef, namespace)));
  }
}
