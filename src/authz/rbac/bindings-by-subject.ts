import type { UserInfo } from '../../meta/user.ts';
import type { Binding, Subject } from './binding.ts';

/** The bindings of one scope that name a subject, with the index of the first matching entry in `subjects`. */
type SubjectIndexes = Map<Binding, number>;
/** Keyed by namespace. Empty for cluster scope. */
type Scopes = Map<string, SubjectIndexes>;

export interface BoundSubject {
  readonly binding: Binding;
  readonly subject: Subject;
}

/** Finds the bindings of a user in a scope without scanning all bindings. */
export class BindingsBySubject {
  readonly #users = new Map<string, Scopes>();
  readonly #groups = new Map<string, Scopes>();

  add(binding: Binding): void {
    const { namespace, subjects } = binding;
    for (const [index, subject] of subjects.entries()) {
      const slot = this.#slot(subject);
      if (slot === undefined) continue;
      const scopes = slot.map.get(slot.key) ?? new Map<string, SubjectIndexes>();
      const indexes = scopes.get(namespace) ?? new Map<Binding, number>();
      if (!indexes.has(binding)) indexes.set(binding, index);
      scopes.set(namespace, indexes);
      slot.map.set(slot.key, scopes);
    }
  }

  remove(binding: Binding): void {
    const { namespace, subjects } = binding;
    for (const subject of subjects) {
      const slot = this.#slot(subject);
      const scopes = slot?.map.get(slot.key);
      const indexes = scopes?.get(namespace);
      if (slot === undefined || scopes === undefined || !indexes?.delete(binding)) continue;
      if (indexes.size === 0) scopes.delete(namespace);
      if (scopes.size === 0) slot.map.delete(slot.key);
    }
  }

  /** Returns each binding once, sorted by name, with its first subject that matches the user. */
  of(user: UserInfo, namespace: string): BoundSubject[] {
    const found: SubjectIndexes = new Map();
    for (const scopes of this.#scopesOf(user)) {
      for (const [binding, index] of scopes.get(namespace) ?? []) {
        if (index < (found.get(binding) ?? Number.POSITIVE_INFINITY)) found.set(binding, index);
      }
    }
    return Array.from(found, ([binding, index]) => ({ binding, subject: binding.subjects[index]! })).sort(
      (left, right) => (left.binding.name < right.binding.name ? -1 : 1),
    );
  }

  /** The namespaces with a binding that names the user. */
  *namespacesOf(user: UserInfo): Iterable<string> {
    const seen = new Set(['']);
    for (const scopes of this.#scopesOf(user)) {
      for (const namespace of scopes.keys()) {
        if (!seen.has(namespace)) yield namespace;
        seen.add(namespace);
      }
    }
  }

  *#scopesOf({ name, groups }: UserInfo): Iterable<Scopes> {
    const own = this.#users.get(name);
    if (own !== undefined) yield own;
    for (const group of groups) {
      const scopes = this.#groups.get(group);
      if (scopes !== undefined) yield scopes;
    }
  }

  #slot({ kind, name, namespace }: Subject): { readonly map: Map<string, Scopes>; readonly key: string } | undefined {
    switch (kind) {
      case 'User':
        return { map: this.#users, key: name };
      case 'Group':
        return { map: this.#groups, key: name };
      case 'ServiceAccount':
        // Without a namespace the account is undefined.
        if (namespace === '') return undefined;
        return { map: this.#users, key: `system:serviceaccount:${namespace}:${name}` };
      default:
        return undefined;
    }
  }
}
