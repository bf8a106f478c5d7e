import type { ResourceObject } from '../../meta/object.ts';

/** One rule of a role. All lists are present, which simplifies matching. Empty `resourceNames` mean every name. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

const none: readonly string[] = [];

export function policyRules(role: ResourceObject): PolicyRule[] {
  const rules = (role.rules ?? []) as readonly Partial<Record<keyof PolicyRule, readonly string[] | null>>[];
  return rules.map(({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }) => ({
    verbs: verbs ?? none,
    apiGroups: apiGroups ?? none,
    resources: resources ?? none,
    resourceNames: resourceNames ?? none,
    nonResourceURLs: nonResourceURLs ?? none,
  }));
}
