import type { ResourceDefinition, SubresourceRules } from './resource-definition.ts';

/** The result of an action is stored unchanged. */
const unchanged: SubresourceRules = { prepare: (sent) => sent };

/** Undefined for the main resource and for subresources that all types share. */
export function subresourceRulesOf(
  { rules, subresources }: ResourceDefinition,
  endpoint: string,
): SubresourceRules | undefined {
  const own = rules.subresourceRules?.[endpoint];
  if (own !== undefined) return own;
  return subresources.some(({ name, action }) => name === endpoint && action !== undefined) ? unchanged : undefined;
}
