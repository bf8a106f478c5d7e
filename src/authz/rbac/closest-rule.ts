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
  type ResourceForms,
  resourceForms,
} from './rule-matches.ts';
import type { UserGrants } from './user-grants.ts';

const maxLooks = 1000;
const maxListed = 8;
const needsNoQuotes = /^[\w.:*/-]+$/;

/** What differs, the nearest first. */
const differences = ['verb', 'name', 'namespace', 'subresource', 'group'] as const;
type Difference = (typeof differences)[number];

/** The rule that would allow the request if one thing were different. */
export function closestRule(grants: UserGrants, attributes: Attributes): string | undefined {
  return attributes.resource === undefined
    ? closestPathRule(grants, attributes)
    : closestResourceRule(grants, attributes);
}

function closestPathRule({ cluster }: UserGrants, { verb, path }: PathAttributes): string | undefined {
  for (const [grant, rule] of limited(cluster.grants)) {
    if (matchesPath(rule, path)) return sentence(grant, `${list(rule.verbs)} on ${plain(path)}, not ${plain(verb)}`);
  }
  return undefined;
}

function closestResourceRule(grants: UserGrants, attributes: ResourceAttributes): string | undefined {
  const { namespace, resource, subresource } = attributes.resource;
  const forms = resourceForms(resource, subresource);
  let closest: { grant: Grant; rule: PolicyRule; difference: Difference } | undefined;
  for (const [grant, rule] of limited(grants.near(namespace))) {
    const { kind, namespace: bound } = grant.binding;
    const elsewhere = kind === 'RoleBinding' && bound !== namespace;
    const difference = onlyDifference(rule, forms, { ...attributes, elsewhere });
    if (difference === undefined) continue;
    if (closest === undefined || differences.indexOf(difference) < differences.indexOf(closest.difference)) {
      closest = { grant, rule, difference };
      if (difference === differences[0]) break;
    }
  }
  return closest && sentence(closest.grant, describe(closest, attributes));
}

function* limited(grants: Iterable<Grant>): Iterable<readonly [Grant, PolicyRule]> {
  let left = maxLooks;
  for (const grant of grants) {
    if (left-- <= 0) return;
    for (const rule of grant.rules) {
      if (left-- <= 0) return;
      yield [grant, rule];
    }
  }
}

/** Undefined when nothing or more than one thing differs, or the resource altogether. */
function onlyDifference(
  rule: PolicyRule,
  forms: ResourceForms,
  { verb, resource, elsewhere }: ResourceAttributes & { readonly elsewhere: boolean },
): Difference | undefined {
  const isSame = matchesResource(rule, forms);
  if (!isSame && relatives(rule, resource.resource).length === 0) return undefined;
  const found: Difference[] = [];
  if (!matchesVerb(rule, verb)) found.push('verb');
  if (!matchesName(rule, resource.name)) found.push('name');
  if (elsewhere) found.push('namespace');
  if (!isSame) found.push('subresource');
  if (!matchesGroup(rule, resource.group)) found.push('group');
  return found.length === 1 ? found[0] : undefined;
}

/** The same resource with another subresource or without one. */
function relatives({ resources }: PolicyRule, resource: string): string[] {
  return resources.filter((entry) => entry === resource || entry.startsWith(`${resource}/`));
}

function describe(
  { grant, rule, difference }: { grant: Grant; rule: PolicyRule; difference: Difference },
  { verb, resource: requested }: ResourceAttributes,
): string {
  const { group, resource, subresource, namespace, name } = requested;
  const combined = plain(resourceForms(resource, subresource).combined);
  const what = group === '' ? combined : `${combined} (${plain(group)})`;
  const allowed = `${plain(verb)} on ${what}`;
  switch (difference) {
    case 'verb':
      return `${list(rule.verbs)} on ${what}, not ${plain(verb)}`;
    case 'name':
      return `${allowed} with the name ${list(rule.resourceNames)}, not ${name === '' ? 'without a name' : plain(name)}`;
    case 'namespace':
      return `${allowed} in the namespace ${plain(grant.binding.namespace)}, not ${where(namespace)}`;
    case 'subresource':
      return `${plain(verb)} on ${list(relatives(rule, resource))}, not on ${combined}`;
    case 'group':
      return `${plain(verb)} on ${combined} in the API group ${list(rule.apiGroups)}, not in ${plain(group)}`;
  }
}

function where(namespace: string): string {
  return namespace === '' ? 'at the cluster scope' : `in ${plain(namespace)}`;
}

/** The namespace stands before the name, as clients have it in their commands. */
function sentence({ binding: { kind, namespace, name, roleRef } }: Grant, allowed: string): string {
  const binding = namespace === '' ? name : `${namespace}/${name}`;
  return `closest: ${kind} ${goQuote(binding)} of ${roleRef.kind} ${goQuote(roleRef.name)} allows ${allowed}`;
}

function list(texts: readonly string[]): string {
  const listed = texts.slice(0, maxListed).map(plain).join(',');
  return texts.length > maxListed ? `${listed},...` : listed;
}

/** Texts of requests and roles may hold anything. */
function plain(text: string): string {
  return needsNoQuotes.test(text) && text.length <= 256 ? text : goQuote(text.slice(0, 256));
}
