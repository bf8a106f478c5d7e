import type { AdmissionOperation, AdmissionTarget } from '../admission-request.ts';
import type { MatchConstraints, MatchRule } from './match-constraints.ts';

const policies: readonly string[] = [
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings',
  'admissionregistration.k8s.io/mutatingadmissionpolicies',
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings',
];
const exemptFromWebhooks: ReadonlySet<string> = new Set([
  ...policies,
  'admissionregistration.k8s.io/validatingwebhookconfigurations',
  'admissionregistration.k8s.io/mutatingwebhookconfigurations',
]);
const exemptFromPolicies: ReadonlySet<string> = new Set([
  ...policies,
  'authentication.k8s.io/selfsubjectreviews',
  'authentication.k8s.io/tokenreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
  'authorization.k8s.io/subjectaccessreviews',
]);

/** Whether webhooks do not apply, so that administrators can repair what configures them. */
export function isExemptFromWebhooks({ resource }: AdmissionTarget): boolean {
  return exemptFromWebhooks.has(`${resource.group}/${resource.resource}`);
}

/**
 * Whether policies do not apply: a wrong policy must not lock everybody out, neither from the policies nor through the
 * reviews that authenticate and authorize. Webhook configurations are not exempt, so that policies can guard them.
 */
export function isExemptFromPolicies({ resource }: AdmissionTarget): boolean {
  return exemptFromPolicies.has(`${resource.group}/${resource.resource}`);
}

/** Whether the result of `matchTarget` depends on the name of the object. */
export function dependsOnName({ resourceRules = [], excludeResourceRules = [] }: MatchConstraints): boolean {
  return [...resourceRules, ...excludeResourceRules].some(hasNames);
}

/**
 * Returns the endpoint as which a request matches: that of the request, or an equivalent one with another version or
 * group. Undefined when no rule matches. The result depends on the arguments only.
 *
 * Without a name the result is an endpoint when requests for some name match. If `dependsOnName`, call it again with
 * the name.
 */
export function matchTarget(
  constraints: MatchConstraints,
  operation: AdmissionOperation,
  target: AdmissionTarget,
  name?: string,
): AdmissionTarget | undefined {
  const { resourceRules = [], excludeResourceRules = [], matchPolicy } = constraints;
  const isEquivalent = matchPolicy === 'Equivalent';
  const excludes = (rule: MatchRule): boolean => (name === undefined ? !hasNames(rule) : includesName(rule, name));
  const includes = (rule: MatchRule): boolean => name === undefined || includesName(rule, name);
  const wanted = { operation, target, isEquivalent };
  if (matchRules(excludeResourceRules.filter(excludes), wanted) !== undefined) return undefined;
  // An empty list of rules matches everything.
  if (resourceRules.length === 0) return target;
  return matchRules(resourceRules.filter(includes), wanted);
}

interface RequestedTarget {
  readonly operation: AdmissionOperation;
  readonly target: AdmissionTarget;
  readonly isEquivalent: boolean;
}

/** The endpoint itself is preferred. Among the equivalent ones the first rule decides. */
function matchRules(
  rules: readonly MatchRule[],
  { operation, target, isEquivalent }: RequestedTarget,
): AdmissionTarget | undefined {
  if (rules.some((rule) => matchesRule(rule, operation, target))) return target;
  if (!isEquivalent || rules.length === 0) return undefined;
  const others = target.objects.equivalents().filter((other) => other !== target);
  for (const rule of rules) {
    const found = others.find((other) => matchesRule(rule, operation, other));
    if (found !== undefined) return found;
  }
  return undefined;
}

function matchesRule(rule: MatchRule, operation: AdmissionOperation, target: AdmissionTarget): boolean {
  const { resource } = target;
  return (
    matchesScope(rule.scope, target) &&
    matchesValue(rule.operations, operation) &&
    matchesValue(rule.apiGroups, resource.group) &&
    matchesValue(rule.apiVersions, resource.version) &&
    (rule.resources ?? []).some((pattern) => matchesResource(pattern, target))
  );
}

function matchesScope(scope: string | undefined, { namespaced }: AdmissionTarget): boolean {
  return scope === undefined || scope === '*' || namespaced === (scope === 'Namespaced');
}

function matchesValue(values: readonly string[] | undefined, value: string): boolean {
  return values !== undefined && (values.includes('*') || values.includes(value));
}

function matchesResource(pattern: string, { resource: { resource }, subresource }: AdmissionTarget): boolean {
  const slash = pattern.indexOf('/');
  const main = slash === -1 ? pattern : pattern.slice(0, slash);
  const sub = slash === -1 ? '' : pattern.slice(slash + 1);
  return (main === '*' || main === resource) && (sub === '*' || sub === subresource);
}

function hasNames({ resourceNames }: MatchRule): boolean {
  return resourceNames !== undefined && resourceNames.length > 0;
}

function includesName(rule: MatchRule, name: string): boolean {
  return !hasNames(rule) || rule.resourceNames!.includes(name);
}
