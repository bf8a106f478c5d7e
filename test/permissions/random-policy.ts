import type { Binding, Role, Rule, Subject } from './naive-evaluator.ts';

/** Few values, so that rules and requests often match. */
const vocabulary = {
  verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', '*', 'get', 'list'],
  groups: ['', '', 'apps', 'coordination.k8s.io', '*', '*'],
  resources: [
    'pods',
    'configmaps',
    'configmaps',
    'secrets',
    'deployments',
    'serviceaccounts',
    'leases',
    'namespaces',
    'nodes',
    'pods/log',
    'pods/eviction',
    'pods/*',
    'deployments/scale',
    'deployments/*',
    'deployments/status',
    'serviceaccounts/token',
    'namespaces/status',
    '*/scale',
    '*/status',
    '*',
  ],
  names: ['one', 'two', 'absent', 'a', 'n1'],
  paths: ['/healthz', '/healthz/*', '/version', '/api', '/api/*', '/apis*', '/metrics', '/openapi/*', '*'],
  methods: ['get', 'get', 'post', 'put', 'head', '*'],
};
export const namespaces = ['a', 'b', 'c'] as const;
const rbac = 'rbac.authorization.k8s.io';

export type RandomRole = Role & { readonly apiVersion: string };
export type RandomBinding = Binding & { readonly apiVersion: string };

/** Generates roles and bindings from random numbers. */
export class RandomPolicy {
  readonly #random: (limit: number) => number;
  readonly #subjects: readonly Subject[];

  constructor(random: (limit: number) => number, subjects: readonly Subject[]) {
    this.#random = random;
    this.#subjects = subjects;
  }

  roles(): RandomRole[] {
    const inNamespaces = namespaces.flatMap((namespace) =>
      ['r1', 'r2'].map((name) => this.role('Role', name, namespace)),
    );
    return [...['c1', 'c2', 'c3', 'c4', 'c5'].map((name) => this.role('ClusterRole', name)), ...inNamespaces];
  }

  role(kind: Role['kind'], name: string, namespace?: string): RandomRole {
    const rules = Array.from({ length: 1 + this.#random(3) }, () => this.#rule(kind));
    return { apiVersion: `${rbac}/v1`, kind, metadata: { name, ...(namespace && { namespace }) }, rules };
  }

  bindings(): RandomBinding[] {
    const everywhere = ['b1', 'b2', 'b3', 'b4'].map((name) => this.#binding('ClusterRoleBinding', name));
    const inNamespaces = namespaces.flatMap((namespace) =>
      ['b1', 'b2', 'b3'].map((name) => this.#binding('RoleBinding', name, namespace)),
    );
    return [...everywhere, ...inNamespaces];
  }

  subjects(kind: Binding['kind']): Subject[] {
    return Array.from({ length: 1 + this.#random(2) }, () => {
      const { namespace, ...subject } = this.#pick(this.#subjects);
      // A service account without a namespace is in the namespace of the binding.
      const isNear = kind === 'RoleBinding' && this.#random(3) === 0;
      return namespace === undefined || isNear ? subject : { ...subject, namespace };
    });
  }

  #binding(kind: Binding['kind'], name: string, namespace?: string): RandomBinding {
    const near = kind === 'RoleBinding' && this.#random(2) === 0;
    return {
      apiVersion: `${rbac}/v1`,
      kind,
      metadata: { name, ...(namespace && { namespace }) },
      // No role has the last name.
      roleRef: near
        ? { kind: 'Role', name: this.#pick(['r1', 'r2']) }
        : { kind: 'ClusterRole', name: this.#pick(['c1', 'c2', 'c3', 'c4', 'c5', 'c6']) },
      subjects: this.subjects(kind),
    };
  }

  #rule(kind: Role['kind']): Rule {
    const sort = this.#random(8);
    if (sort === 0 && kind === 'ClusterRole') {
      return { verbs: this.#some(vocabulary.methods), nonResourceURLs: this.#some(vocabulary.paths) };
    }
    if (sort === 1) return this.#impersonation();
    return {
      verbs: this.#some(vocabulary.verbs, 4),
      apiGroups: this.#some(vocabulary.groups),
      resources: this.#some(vocabulary.resources, 5),
      ...(sort < 4 && { resourceNames: this.#some(vocabulary.names) }),
    };
  }

  #impersonation(): Rule {
    const sort = this.#random(4);
    // The first two rules together allow constrained impersonation for some actions. The last rule allows impersonation
    // for all actions.
    if (sort === 0) return { verbs: ['impersonate-on:user-info:get', 'get'], apiGroups: ['*'], resources: ['*'] };
    if (sort === 1) {
      return { verbs: ['impersonate:user-info'], apiGroups: ['authentication.k8s.io'], resources: ['users', 'groups'] };
    }
    const resourceNames = this.#some(['alice', 'bob', 'dev', 'ops', 'bot', 'system:anonymous']);
    return {
      verbs: ['impersonate'],
      apiGroups: [''],
      resources: ['users', 'groups', 'serviceaccounts'],
      ...(sort === 2 && { resourceNames }),
    };
  }

  #some(values: readonly string[], max = 2): string[] {
    return [...new Set(Array.from({ length: 1 + this.#random(max) }, () => this.#pick(values)))];
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.#random(values.length)]!;
  }
}
