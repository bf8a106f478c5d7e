import { isDeepStrictEqual } from 'node:util';
import { policyRules, uncoveredRules } from '../../authz/rbac/index.ts';
import type { Role } from './policy-object.ts';
import type { PolicyRule } from './policy-rule.ts';

/**
 * What a role is wanted to allow and does not, in single permissions: one verb on one resource, or on one path. So a
 * rule of which a part is allowed by others leaves only the rest.
 */
export function missingRules(present: Role, wanted: Role): PolicyRule[] {
  // As it is nearly always.
  if (isDeepStrictEqual(present.rules, wanted.rules)) return [];
  return uncoveredRules(policyRules(present), policyRules(wanted)).map(withoutEmptyLists);
}

function withoutEmptyLists({ verbs, ...others }: PolicyRule): PolicyRule {
  return { verbs, ...Object.fromEntries(Object.entries(others).filter(([, words]) => words.length > 0)) };
}
