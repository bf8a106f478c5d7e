import type { PolicyRule } from './policy-rule.ts';
import { matchesGroup, matchesPath, matchesVerb } from './rule-matches.ts';

// A rule is the product of its lists: a few kilobytes could keep the server busy for hours.
const maxComparisons = 2_000_000;
/** What it costs to make one rule for a comparison, in comparisons. */
const costOfOne = 100;

/** The rules are too many to compare them one by one. */
export class TooManyRulesError extends Error {
  constructor() {
    super('too many rules to compare');
    this.name = 'TooManyRulesError';
  }
}

/**
 * What is wanted and not held, as rules of a single verb on a single thing, in the order of the wanted. A single held rule
 * must cover each of them. Throws a TooManyRulesError rather than to take seconds.
 */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  const uncovered: PolicyRule[] = [];
  let left = maxComparisons;
  for (const rule of wanted) {
    // Those who may do everything need not wait until all of it is listed.
    if (held.some((owned) => covers(owned, rule))) continue;
    for (const single of singleRules(rule)) {
      left -= held.length + costOfOne;
      if (left < 0) throw new TooManyRulesError();
      if (!held.some((owned) => covers(owned, single))) uncovered.push(single);
    }
  }
  return uncovered;
}

/** Whether one rule alone allows all that the other does. */
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
