import { isJsonEqual } from '../../meta/json-object.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { UserInfo } from '../../meta/user.ts';
import { type Binding, bindingOf, type RoleRef } from './binding.ts';
import { BindingsBySubject, type BoundSubject } from './bindings-by-subject.ts';
import { type PolicyRule, policyRules } from './policy-rule.ts';

export type RbacKind = 'Role' | 'ClusterRole' | 'RoleBinding' | 'ClusterRoleBinding';

/**
 * The current roles and bindings. The caller passes new and changed objects to the `put` methods in order, and must not
 * modify them afterwards. The namespace is ignored for cluster-scoped kinds.
 */
export class RbacIndex {
  readonly #roles: Record<'Role' | 'ClusterRole', Map<string, readonly PolicyRule[]>> = {
    Role: new Map(),
    ClusterRole: new Map(),
  };
  readonly #bindings: Record<Binding['kind'], Map<string, Binding>> = {
    RoleBinding: new Map(),
    ClusterRoleBinding: new Map(),
  };
  readonly #bySubject = new BindingsBySubject();
  #generation = 0;

  /** Incremented by every change that can affect a decision. A change of labels, for example, does not. */
  get generation(): number {
    return this.#generation;
  }

  putRole(role: ResourceObject): void {
    this.#putRole('Role', role);
  }

  putClusterRole(role: ResourceObject): void {
    this.#putRole('ClusterRole', role);
  }

  putRoleBinding(binding: ResourceObject): void {
    this.#putBinding('RoleBinding', binding);
  }

  putClusterRoleBinding(binding: ResourceObject): void {
    this.#putBinding('ClusterRoleBinding', binding);
  }

  removeRole(namespace: string, name: string): void {
    this.#removeRole('Role', keyOf('Role', namespace, name));
  }

  removeClusterRole(namespace: string, name: string): void {
    this.#removeRole('ClusterRole', keyOf('ClusterRole', namespace, name));
  }

  removeRoleBinding(namespace: string, name: string): void {
    this.#removeBinding('RoleBinding', keyOf('RoleBinding', namespace, name));
  }

  removeClusterRoleBinding(namespace: string, name: string): void {
    this.#removeBinding('ClusterRoleBinding', keyOf('ClusterRoleBinding', namespace, name));
  }

  /** Removes all objects of a kind. */
  reset(kind: RbacKind): void {
    if (kind === 'Role' || kind === 'ClusterRole') this.#roles[kind].clear();
    else for (const key of [...this.#bindings[kind].keys()]) this.#removeBinding(kind, key);
    this.#generation++;
  }

  /** The bindings of one scope that name the user or one of its groups, each once, sorted by name. */
  bindingsOf(user: UserInfo, namespace: string): BoundSubject[] {
    return this.#bySubject.of(user, namespace);
  }

  /** The namespaces that contain such bindings. */
  namespacesOf(user: UserInfo): Iterable<string> {
    return this.#bySubject.namespacesOf(user);
  }

  /** The rules of the role that a binding in the namespace refers to. Undefined when the role does not exist. */
  rulesOf({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    if (kind !== 'Role' && kind !== 'ClusterRole') return undefined;
    return this.#roles[kind].get(keyOf(kind, namespace, name));
  }

  #putRole(kind: 'Role' | 'ClusterRole', role: ResourceObject): void {
    const key = keyOf(kind, role.metadata.namespace, role.metadata.name);
    const rules = policyRules(role);
    if (isJsonEqual(this.#roles[kind].get(key), rules)) return;
    this.#roles[kind].set(key, rules);
    this.#generation++;
  }

  #removeRole(kind: 'Role' | 'ClusterRole', key: string): void {
    if (this.#roles[kind].delete(key)) this.#generation++;
  }

  #putBinding(kind: Binding['kind'], object: ResourceObject): void {
    const binding = bindingOf(kind, object);
    const key = keyOf(kind, binding.namespace, binding.name);
    const known = this.#bindings[kind].get(key);
    if (isJsonEqual(known, binding)) return;
    if (known !== undefined) this.#bySubject.remove(known);
    this.#bindings[kind].set(key, binding);
    // Without a namespace, a role binding would apply to the whole cluster.
    if (kind === 'ClusterRoleBinding' || binding.namespace !== '') this.#bySubject.add(binding);
    this.#generation++;
  }

  #removeBinding(kind: Binding['kind'], key: string): void {
    const binding = this.#bindings[kind].get(key);
    if (binding === undefined) return;
    this.#bindings[kind].delete(key);
    this.#bySubject.remove(binding);
    this.#generation++;
  }
}

function keyOf(kind: RbacKind, namespace = '', name = ''): string {
  return kind === 'ClusterRole' || kind === 'ClusterRoleBinding' ? name : `${namespace}/${name}`;
}
