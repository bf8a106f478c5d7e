import type { ApiResponse, TestApi } from '../wire/api.ts';
import type { Binding, Policy, Role } from './naive-evaluator.ts';
import type { RandomBinding, RandomPolicy, RandomRole } from './random-policy.ts';

type Rbac = RandomRole | RandomBinding;
const root = '/apis/rbac.authorization.k8s.io/v1';
const plurals = {
  Role: 'roles',
  ClusterRole: 'clusterroles',
  RoleBinding: 'rolebindings',
  ClusterRoleBinding: 'clusterrolebindings',
};

/** The roles and bindings of a server, as the administrator wrote them. */
export class ServedPolicy implements Policy {
  readonly #api: TestApi;
  readonly #bootstrap: Policy;
  #roles: RandomRole[] = [];
  #bindings: RandomBinding[] = [];

  private constructor(api: TestApi, bootstrap: Policy) {
    this.#api = api;
    this.#bootstrap = bootstrap;
  }

  /** Includes the roles and bindings that the server creates itself. */
  static async read(api: TestApi): Promise<ServedPolicy> {
    const all = async <T>(kind: keyof typeof plurals): Promise<T[]> => {
      const { body } = await api.get(`${root}/${plurals[kind]}`);
      return body.items.map((item: object) => ({ ...item, kind }));
    };
    const roles = [...(await all<Role>('Role')), ...(await all<Role>('ClusterRole'))];
    const bindings = [...(await all<Binding>('RoleBinding')), ...(await all<Binding>('ClusterRoleBinding'))];
    return new ServedPolicy(api, { roles, bindings });
  }

  get roles(): readonly Role[] {
    return [...this.#bootstrap.roles, ...this.#roles];
  }

  get bindings(): readonly Binding[] {
    return [...this.#bootstrap.bindings, ...this.#bindings];
  }

  async replace(roles: RandomRole[], bindings: RandomBinding[]): Promise<void> {
    for (const old of [...this.#bindings, ...this.#roles]) await this.#sent('DELETE', old);
    for (const fresh of [...roles, ...bindings]) await this.#sent('POST', fresh);
    this.#roles = roles;
    this.#bindings = bindings;
  }

  /** Changes a rule or a subject, by an update or by deleting and creating the role or binding again. */
  async change(rules: RandomPolicy, random: (limit: number) => number): Promise<void> {
    const isRole = random(2) === 0;
    const list: Rbac[] = isRole ? this.#roles : this.#bindings;
    const index = random(list.length);
    const present = list[index]!;
    const { kind, metadata } = present;
    const next: Rbac =
      'roleRef' in present
        ? { ...present, subjects: rules.subjects(present.kind) }
        : rules.role(present.kind, metadata.name, metadata.namespace);
    if (random(3) === 0) {
      await this.#sent('DELETE', present);
      await this.#sent('POST', next);
    } else {
      await this.#sent('PUT', next);
    }
    if (kind === 'Role' || kind === 'ClusterRole') this.#roles[index] = next as RandomRole;
    else this.#bindings[index] = next as RandomBinding;
  }

  async #sent(method: 'POST' | 'PUT' | 'DELETE', object: Rbac): Promise<ApiResponse> {
    const { kind, metadata } = object;
    const place = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
    const path = `${root}${place}/${plurals[kind]}${method === 'POST' ? '' : `/${metadata.name}`}`;
    const response = await this.#api.call(method, path, method === 'DELETE' ? {} : { body: object });
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.text}`);
    return response;
  }
}
