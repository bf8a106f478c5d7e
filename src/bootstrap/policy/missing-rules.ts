import { policyRules, uncoveredRules } from '../../authz/rbac/index.ts';
import { isJsonEqual } from '../../meta/json-object.ts';
import type { Role } from './policy-object.ts';
import type { PolicyRule } from './policy-rule.ts';

/**
 * The permissions that `wanted` grants and `present` does not, as single permissions: one verb on one resource or path.
 * A rule that is partly covered leaves only the rest.
 */
export function missingRules(current: Role, desired: Role): PolicyRule[] {
  // Fast path for the common case.
  if (isJsonEqual(current.rules, desired.rules)) return [];
  return uncoveredRules(policyRules(current), policyRules(desired)).map(withoutEmptyLists);
}

function withoutEmptyLists({ verbs, ...others }: PolicyRule): PolicyRule {
  return { verbs, ...Object.fromEntries(Object.entries(others).filter(([, words]) => words.length > 0)) };
}
