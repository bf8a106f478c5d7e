import type { PolicyRule } from './policy-rule.ts';
import { matchesGroup, matchesPath, matchesVerb } from './rule-matches.ts';

// A rule is the product of its lists, so a role of a few kilobytes could block the server for hours.
const maxComparisons = 2_000_000;
/** Cost of creating one single-verb rule, in comparisons. */
const costPerRule = 100;

/** There are too many rules to compare. */
export class TooManyRulesError extends Error {
  constructor() {
    super('too many rules to compare');
    this.name = 'TooManyRulesError';
  }
}

/**
 * Returns what `wanted` allows and `held` does not, as rules with a single verb and resource, in the order of `wanted`.
 * One held rule alone must cover each of them. Throws a TooManyRulesError instead of blocking for seconds.
 */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  const uncovered: PolicyRule[] = [];
  let left = maxComparisons;
  for (const rule of wanted) {
    // A rule that is covered as a whole need not be split, which is fast for administrators.
    if (held.some((owned) => covers(owned, rule))) continue;
    for (const single of singleRules(rule)) {
      left -= held.length + costPerRule;
      if (left < 0) throw new TooManyRulesError();
      if (!held.some((owned) => covers(owned, single))) uncovered.push(single);
    }
  }
  return uncovered;
}

/** Whether one rule alone allows everything that the other does. */
function covers(owned: PolicyRule, rule: PolicyRule): boolean {
  return (
    rule.verbs.every((verb) => matchesVerb(owned, verb)) &&
    rule.apiGroups.every((group) => matchesGroup(owned, group)) &&
    rule.resources.every((resource) => coversResource(owned, resource)) &&
    rule.nonResourceURLs.every((url) => matchesPath(owned, url)) &&
    coversNames(owned, rule)
  );
}

function coversResource({ resources }: PolicyRule, wanted: string): boolean {
  if (resources.includes(wanted) || resources.includes('*')) return true;
  const slash = wanted.indexOf('/');
  return slash >= 0 && resources.includes(`*${wanted.slice(slash)}`);
}

function coversNames(owned: PolicyRule, { resourceNames }: PolicyRule): boolean {
  if (owned.resourceNames.length === 0) return true;
  return resourceNames.length > 0 && resourceNames.every((name) => owned.resourceNames.includes(name));
}

function* singleRules({
  verbs,
  apiGroups,
  resources,
  resourceNames,
  nonResourceURLs,
}: PolicyRule): Iterable<PolicyRule> {
  const names = resourceNames.length === 0 ? [[]] : resourceNames.map((name) => [name]);
  for (const group of apiGroups) {
    for (const resource of resources) {
      for (const verb of verbs) {
        for (const named of names) {
          yield {
            verbs: [verb],
            apiGroups: [group],
            resources: [resource],
            resourceNames: named,
            nonResourceURLs: [],
          };
        }
      }
    }
  }
  for (const url of nonResourceURLs) {
    for (const verb of verbs) {
      yield { verbs: [verb], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [url] };
    }
  }
}
