/** RBAC: the index of roles and bindings, the authorizer that uses it, and the check against privilege escalation. */
export { type RoleRef, roleRefOf } from './binding.ts';
export { missingRoleText } from './grant.ts';
export { type PolicyRule, policyRules } from './policy-rule.ts';
export { RbacAuthorizer, type RbacRules } from './rbac-authorizer.ts';
export { RbacIndex, type RbacKind } from './rbac-index.ts';
export { rulesText } from './rules-text.ts';
export { TooManyRulesError, uncoveredRules } from './uncovered-rules.ts';
