import type { PartRules, ResourceDefinition } from './resource-definition.ts';

/** The result of an action is stored unchanged. */
const asGiven: PartRules = { prepare: (sent) => sent };

/** Undefined for the main resource and for subresources that all types share. */
export function partRulesOf({ rules, subresources }: ResourceDefinition, part: string): PartRules | undefined {
  const own = rules.parts?.[part];
  if (own !== undefined) return own;
  return subresources.some(({ name, action }) => name === part && action !== undefined) ? asGiven : undefined;
}
