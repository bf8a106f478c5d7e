import type { PartRules, ResourceDefinition } from './resource-definition.ts';

/** An action has said what is to become of the object. */
const asGiven: PartRules = { prepare: (sent) => sent };

/** Undefined for the main resource and the doors that all types have in common. */
export function partRulesOf({ rules, subresources }: ResourceDefinition, part: string): PartRules | undefined {
  const own = rules.parts?.[part];
  if (own !== undefined) return own;
  return subresources.some(({ name, action }) => name === part && action !== undefined) ? asGiven : undefined;
}
