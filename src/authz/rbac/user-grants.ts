import type { UserInfo } from '../../meta/user.ts';
import { Grant } from './grant.ts';
import type { RbacIndex } from './rbac-index.ts';
import { RuleSet } from './rule-set.ts';

// Requests name namespaces as they like.
const maxNamespaces = 1024;

/** What the bindings of one moment give to one user. Namespaces are looked at when they are asked for. */
export class UserGrants {
  /** That of the index at that moment. They are of no use after it. */
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

  /** Those of the namespace alone, which is not empty. That of the cluster scope when there are none. */
  inNamespace(namespace: string): RuleSet {
    return this.#namespaces.get(namespace) ?? this.#add(namespace);
  }

  /** In the order in which they are asked, and then those that count in other namespaces. */
  *near(namespace: string): Iterable<Grant> {
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
