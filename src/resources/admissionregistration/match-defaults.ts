import type { MatchResources, RuleWithOperations } from './match-types.ts';

export function setMatchResourcesDefaults(match: MatchResources): void {
  match.matchPolicy ??= 'Equivalent';
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  setRuleDefaults(match.resourceRules);
  setRuleDefaults(match.excludeResourceRules);
}

export function setRuleDefaults(rules: readonly RuleWithOperations[] | undefined): void {
  for (const rule of rules ?? []) rule.scope ??= '*';
}
