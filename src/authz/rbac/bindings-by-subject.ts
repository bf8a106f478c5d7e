import type { UserInfo } from '../../meta/user.ts';
import type { Binding, Subject } from './binding.ts';

/** The bindings of one scope that name somebody, with the place of the first subject that does. */
type Places = Map<Binding, number>;
/** By namespace; those of the cluster scope have an empty one. */
type Scopes = Map<string, Places>;

export interface BoundSubject {
  readonly binding: Binding;
  readonly subject: Subject;
}

/** Finds the bindings of a user in a scope without a look at those of others. */
export class BindingsBySubject {
  readonly #users = new Map<string, Scopes>();
  readonly #groups = new Map<string, Scopes>();

  add(binding: Binding): void {
    const { namespace, subjects } = binding;
    for (const [place, subject] of subjects.entries()) {
      const slot = this.#slot(subject);
      if (slot === undefined) continue;
      const scopes = slot.map.get(slot.key) ?? new Map<string, Places>();
      const places = scopes.get(namespace) ?? new Map<Binding, number>();
      if (!places.has(binding)) places.set(binding, place);
      scopes.set(namespace, places);
      slot.map.set(slot.key, scopes);
    }
  }

  remove(binding: Binding): void {
    const { namespace, subjects } = binding;
    for (const subject of subjects) {
      const slot = this.#slot(subject);
      const scopes = slot?.map.get(slot.key);
      const places = scopes?.get(namespace);
      if (slot === undefined || scopes === undefined || !places?.delete(binding)) continue;
      if (places.size === 0) scopes.delete(namespace);
      if (scopes.size === 0) slot.map.delete(slot.key);
    }
  }

  /** Each binding once, by name, with the first of its subjects that is the user. */
  of(user: UserInfo, namespace: string): BoundSubject[] {
    const found: Places = new Map();
    for (const scopes of this.#scopesOf(user)) {
      for (const [binding, place] of scopes.get(namespace) ?? []) {
        if (place < (found.get(binding) ?? Number.POSITIVE_INFINITY)) found.set(binding, place);
      }
    }
    return Array.from(found, ([binding, place]) => ({ binding, subject: binding.subjects[place]! })).sort(
      (left, right) => (left.binding.name < right.binding.name ? -1 : 1),
    );
  }

  /** The namespaces in which a binding names the user. */
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
        // Nobody can tell whose account it is without a namespace.
        if (namespace === '') return undefined;
        return { map: this.#users, key: `system:serviceaccount:${namespace}:${name}` };
      default:
        return undefined;
    }
  }
}
