import type { AuditConfig, GroupResources, PolicyDocument, PolicyRule, PolicyTarget } from './policy-document.ts';

/**
 * A rule that matches a verb and a resource, with the conditions that remain. Undefined conditions match everything.
 */
export interface Candidate {
  readonly config: AuditConfig;
  readonly users: ReadonlySet<string> | undefined;
  readonly userGroups: ReadonlySet<string> | undefined;
  readonly namespaces: ReadonlySet<string> | undefined;
  readonly names: ReadonlySet<string> | undefined;
  readonly urls: readonly string[] | undefined;
}

/**
 * Returns candidates in rule order, up to the first that matches unconditionally. `target` is undefined for
 * non-resource paths.
 */
export function candidatesFor(
  policy: PolicyDocument,
  { verb, target }: { verb: string; target?: PolicyTarget },
): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (const rule of policy.rules) {
    if (rule.verbs.length > 0 && !rule.verbs.includes(verb)) continue;
    const candidate = target === undefined ? forPaths(rule, policy) : forTarget(rule, target, policy);
    if (candidate === undefined) continue;
    candidates.push(candidate);
    if (isCertain(candidate)) break;
  }
  return candidates;
}

function forPaths(rule: PolicyRule, policy: PolicyDocument): Candidate | undefined {
  if (rule.resources.length > 0 || rule.namespaces.length > 0) return undefined;
  const { nonResourceURLs } = rule;
  return { ...candidate(rule, policy), urls: nonResourceURLs.length === 0 ? undefined : nonResourceURLs };
}

function forTarget(rule: PolicyRule, target: PolicyTarget, policy: PolicyDocument): Candidate | undefined {
  if (rule.nonResourceURLs.length > 0) return undefined;
  const found = rule.resources.filter((resources) => includes(resources, target));
  if (found.length === 0 && rule.resources.length > 0) return undefined;
  const isNamed = found.length > 0 && found.every(({ resourceNames }) => resourceNames.length > 0);
  const names = isNamed ? new Set(found.flatMap(({ resourceNames }) => resourceNames)) : undefined;
  return { ...candidate(rule, policy), names };
}

function candidate(rule: PolicyRule, policy: PolicyDocument): Candidate {
  return {
    config: {
      level: rule.level,
      omitted: new Set([...policy.omitStages, ...rule.omitStages]),
      omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields,
    },
    users: setOf(rule.users),
    userGroups: setOf(rule.userGroups),
    namespaces: setOf(rule.namespaces),
    names: undefined,
    urls: undefined,
  };
}

function setOf(texts: readonly string[]): ReadonlySet<string> | undefined {
  return texts.length === 0 ? undefined : new Set(texts);
}

function isCertain({ users, userGroups, namespaces, names, urls }: Candidate): boolean {
  return [users, userGroups, namespaces, names, urls].every((condition) => condition === undefined);
}

function includes({ group, resources }: GroupResources, target: PolicyTarget): boolean {
  if (group !== target.group) return false;
  return resources.length === 0 || resources.some((pattern) => covers(pattern, target));
}

/** As in kube-apiserver, `pods/*` also covers pods themselves. */
function covers(pattern: string, { resource, subresource }: PolicyTarget): boolean {
  if (pattern === '*' || pattern === `${resource}/*`) return true;
  if (subresource === '') return pattern === resource;
  return pattern === `${resource}/${subresource}` || pattern === `*/${subresource}`;
}
