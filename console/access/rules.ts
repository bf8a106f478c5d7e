/** A rule of a `SelfSubjectRulesReview` or of a role. */
export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export type Permission = 'all' | 'some' | 'none';

const has = (list: readonly string[] | undefined, wanted: string) =>
  list?.some((entry) => entry === '*' || entry === wanted) ?? false;

/** Whether rules allow a verb on all objects of a type, on some that they name, or on none. */
export function permissionOf(
  rules: readonly ResourceRule[],
  wanted: { readonly group: string; readonly resource: string; readonly verb: string },
): Permission {
  const matching = rules.filter(
    ({ verbs, apiGroups, resources }) =>
      has(verbs, wanted.verb) && has(apiGroups, wanted.group) && has(resources, wanted.resource),
  );
  if (matching.some(({ resourceNames = [] }) => resourceNames.length === 0)) return 'all';
  return matching.length > 0 ? 'some' : 'none';
}

export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface Binding {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly subjects?: readonly Subject[];
  readonly roleRef: { readonly kind: string; readonly name: string };
}

export interface RoleMatrix {
  readonly roles: readonly string[];
  readonly rows: readonly { readonly subject: string; readonly bindings: ReadonlyMap<string, readonly Binding[]> }[];
}

/** The subjects with their roles, and the bindings that grant them. */
export function roleMatrix(bindings: readonly Binding[]): RoleMatrix {
  const roles = new Set<string>();
  const rows = new Map<string, Map<string, Binding[]>>();
  for (const binding of bindings) {
    const role = `${binding.roleRef.kind} ${binding.roleRef.name}`;
    for (const subject of binding.subjects ?? []) {
      roles.add(role);
      const key = `${subject.kind} ${subject.namespace ? `${subject.namespace}/` : ''}${subject.name}`;
      const row = rows.get(key) ?? new Map<string, Binding[]>();
      row.set(role, [...(row.get(role) ?? []), binding]);
      rows.set(key, row);
    }
  }
  return {
    roles: [...roles].sort(),
    rows: [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([subject, own]) => ({ subject, bindings: own })),
  };
}
