import { goQuote } from '../../meta/go-quote.ts';
import type { Attributes, PathAttributes, ResourceAttributes } from '../authorizer.ts';
import type { Grant } from './grant.ts';
import type { PolicyRule } from './policy-rule.ts';
import {
  matchesGroup,
  matchesName,
  matchesPath,
  matchesResource,
  matchesVerb,
  type ResourcePatterns,
  resourcePatterns,
} from './rule-matches.ts';
import type { UserGrants } from './user-grants.ts';

const maxRules = 1000;
const maxListed = 8;
const needsNoQuotes = /^[\w.:*/-]+$/;

/** The attributes that may differ, closest first. */
const differences = ['verb', 'name', 'namespace', 'subresource', 'group'] as const;
type Difference = (typeof differences)[number];

/** Describes the rule that would allow the request if exactly one thing were different. */
export function closestRule(grants: UserGrants, attributes: Attributes): string | undefined {
  return attributes.resource === undefined
    ? closestPathRule(grants, attributes)
    : closestResourceRule(grants, attributes);
}

function closestPathRule({ cluster }: UserGrants, { verb, path }: PathAttributes): string | undefined {
  for (const [grant, rule] of firstRules(cluster.grants)) {
    if (matchesPath(rule, path))
      return formatClosest(grant, `${list(rule.verbs)} on ${quoteIfNeeded(path)}, not ${quoteIfNeeded(verb)}`);
  }
  return undefined;
}

function closestResourceRule(grants: UserGrants, attributes: ResourceAttributes): string | undefined {
  const { namespace, resource, subresource } = attributes.resource;
  const patterns = resourcePatterns(resource, subresource);
  let closest: { grant: Grant; rule: PolicyRule; difference: Difference } | undefined;
  for (const [grant, rule] of firstRules(grants.byProximity(namespace))) {
    const { kind, namespace: bound } = grant.binding;
    const isElsewhere = kind === 'RoleBinding' && bound !== namespace;
    const difference = onlyDifference(rule, patterns, { ...attributes, isElsewhere });
    if (difference === undefined) continue;
    if (closest === undefined || differences.indexOf(difference) < differences.indexOf(closest.difference)) {
      closest = { grant, rule, difference };
      if (difference === differences[0]) break;
    }
  }
  return closest && formatClosest(closest.grant, describe(closest, attributes));
}

function* firstRules(grants: Iterable<Grant>): Iterable<readonly [Grant, PolicyRule]> {
  let left = maxRules;
  for (const grant of grants) {
    if (left-- <= 0) return;
    for (const rule of grant.rules) {
      if (left-- <= 0) return;
      yield [grant, rule];
    }
  }
}

/** Returns undefined unless exactly one thing differs and the resource is the same. */
function onlyDifference(
  rule: PolicyRule,
  patterns: ResourcePatterns,
  { verb, resource, isElsewhere }: ResourceAttributes & { readonly isElsewhere: boolean },
): Difference | undefined {
  const isSame = matchesResource(rule, patterns);
  if (!isSame && entriesForResource(rule, resource.resource).length === 0) return undefined;
  const found: Difference[] = [];
  if (!matchesVerb(rule, verb)) found.push('verb');
  if (!matchesName(rule, resource.name)) found.push('name');
  if (isElsewhere) found.push('namespace');
  if (!isSame) found.push('subresource');
  if (!matchesGroup(rule, resource.group)) found.push('group');
  return found.length === 1 ? found[0] : undefined;
}

/** The entries for the same resource with any subresource or none. */
function entriesForResource({ resources }: PolicyRule, resource: string): string[] {
  return resources.filter((entry) => entry === resource || entry.startsWith(`${resource}/`));
}

function describe(
  { grant, rule, difference }: { grant: Grant; rule: PolicyRule; difference: Difference },
  { verb, resource: requested }: ResourceAttributes,
): string {
  const { group, resource, subresource, namespace, name } = requested;
  const combined = quoteIfNeeded(resourcePatterns(resource, subresource).combined);
  const what = group === '' ? combined : `${combined} (${quoteIfNeeded(group)})`;
  const allowed = `${quoteIfNeeded(verb)} on ${what}`;
  switch (difference) {
    case 'verb':
      return `${list(rule.verbs)} on ${what}, not ${quoteIfNeeded(verb)}`;
    case 'name':
      return `${allowed} with the name ${list(rule.resourceNames)}, not ${name === '' ? 'without a name' : quoteIfNeeded(name)}`;
    case 'namespace':
      return `${allowed} in the namespace ${quoteIfNeeded(grant.binding.namespace)}, not ${where(namespace)}`;
    case 'subresource':
      return `${quoteIfNeeded(verb)} on ${list(entriesForResource(rule, resource))}, not on ${combined}`;
    case 'group':
      return `${quoteIfNeeded(verb)} on ${combined} in the API group ${list(rule.apiGroups)}, not in ${quoteIfNeeded(group)}`;
  }
}

function where(namespace: string): string {
  return namespace === '' ? 'at the cluster scope' : `in ${quoteIfNeeded(namespace)}`;
}

/** The namespace precedes the name, in the order of kubectl commands. */
function formatClosest({ binding: { kind, namespace, name, roleRef } }: Grant, allowed: string): string {
  const binding = namespace === '' ? name : `${namespace}/${name}`;
  return `closest: ${kind} ${goQuote(binding)} of ${roleRef.kind} ${goQuote(roleRef.name)} allows ${allowed}`;
}

function list(texts: readonly string[]): string {
  const listed = texts.slice(0, maxListed).map(quoteIfNeeded).join(',');
  return texts.length > maxListed ? `${listed},...` : listed;
}

/** Strings in requests and roles may contain any character. */
function quoteIfNeeded(text: string): string {
  return needsNoQuotes.test(text) && text.length <= 256 ? text : goQuote(text.slice(0, 256));
}
