import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { invalid } from '../../meta/status-error.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { admissionForbidden } from './admission-forbidden.ts';
import { namespaces } from './namespaces.ts';
import { existingPodWarnings } from './pod-security/existing-pods.ts';
import { podOf, securedPod } from './pod-security/secured-pod.ts';
import { detailsOf, violations } from './pod-security/security-checks.ts';
import {
  isPrivileged,
  isSamePolicy,
  isSameStandard,
  isTightened,
  policyText,
  type SecurityPolicy,
  type SecurityStandard,
  securityLabelErrors,
  securityPolicy,
  standardName,
} from './pod-security/security-policy.ts';
import { isSignificantChange } from './pod-security/significant-change.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };

const auditPrefix = 'pod-security.kubernetes.io/';

export interface PodSecurityConfiguration {
  /** The standards for namespaces without labels. */
  readonly defaults: SecurityPolicy;
  /** Requests that are not checked. */
  readonly exemptions: Readonly<Record<'usernames' | 'namespaces' | 'runtimeClasses', ReadonlySet<string>>>;
}

/**
 * Enforces the pod security standards that the labels of a namespace select. For pod templates that violate them it
 * only warns.
 */
export function podSecurity(configuration: PodSecurityConfiguration): AdmissionPlugin {
  const { defaults } = configuration;
  return {
    name: 'PodSecurity',
    rules: [
      {
        operations: ['CREATE', 'UPDATE'],
        resources: [
          '/namespaces',
          '/pods',
          '/pods/ephemeralcontainers',
          '/pods/resize',
          '/podtemplates',
          '/replicationcontrollers',
          'apps/daemonsets',
          'apps/deployments',
          'apps/replicasets',
          'apps/statefulsets',
          'batch/cronjobs',
          'batch/jobs',
        ],
      },
    ],
    validate(request, objects) {
      const { resource, namespace: name } = request;
      if (resource.resource === 'namespaces') return checkNamespace(request, objects, configuration);
      if (isExempt(request, configuration)) return;
      return mapMaybe(objects.get(namespaces, { namespace: '', name }), (namespace) =>
        checkPod(request, securityPolicy(namespace?.metadata.labels, defaults), configuration),
      );
    },
  };
}

function isExempt(request: AdmissionRequest, { exemptions }: PodSecurityConfiguration): boolean {
  const isNamespace = exemptions.namespaces.has(request.namespace);
  if (!isNamespace && !exemptions.usernames.has(request.user.name)) return false;
  request.annotate(`${auditPrefix}exempt`, isNamespace ? 'namespace' : 'user');
  return true;
}

function checkPod(request: AdmissionRequest, policy: SecurityPolicy, configuration: PodSecurityConfiguration): void {
  const { enforce, audit, warn } = policy;
  const { object, oldObject } = request;
  const { resource } = request.resource;
  const isPod = resource === 'pods';
  if (isPrivileged(policy)) {
    if (isPod) request.annotate(`${auditPrefix}enforce-policy`, standardName(enforce));
    return;
  }
  if (isPod && oldObject !== undefined && !isSignificantChange(object, oldObject)) return;
  const template = podOf(resource, object);
  if (template === undefined) return;
  const pod = securedPod(template);
  const { runtimeClassName } = pod.spec;
  if (runtimeClassName !== undefined && configuration.exemptions.runtimeClasses.has(runtimeClassName)) {
    request.annotate(`${auditPrefix}exempt`, 'runtimeClass');
    return;
  }
  const enforced = isPod ? violations(enforce, pod) : [];
  const audited = isPod && isSameStandard(enforce, audit) ? enforced : violations(audit, pod);
  if (isPod) request.annotate(`${auditPrefix}enforce-policy`, standardName(enforce));
  if (audited.length > 0) request.annotate(`${auditPrefix}audit-violations`, wouldViolate(audit, audited));
  if (enforced.length > 0) {
    throw admissionForbidden(request, `violates PodSecurity "${standardName(enforce)}": ${detailsOf(enforced)}`);
  }
  if (isPod && isSameStandard(enforce, warn)) return;
  const warned = isSameStandard(audit, warn) ? audited : violations(warn, pod);
  if (warned.length > 0) request.warn(wouldViolate(warn, warned));
}

function wouldViolate(standard: SecurityStandard, found: ReturnType<typeof violations>): string {
  return `would violate PodSecurity "${standardName(standard)}": ${detailsOf(found)}`;
}

function checkNamespace(
  request: AdmissionRequest,
  objects: ObjectReader,
  { defaults, exemptions }: PodSecurityConfiguration,
): MaybePromise<void> {
  const { object, oldObject, warn } = request;
  const { name = '', labels } = object.metadata;
  const errors = securityLabelErrors(labels);
  // Labels that were already invalid must not block other changes.
  if (errors.length > 0 && !hasSameErrors(errors, oldObject)) {
    throw invalid({ group: '', kind: 'Namespace' }, name, errors);
  }
  const policy = securityPolicy(labels, defaults);
  const before = oldObject && securityPolicy(oldObject.metadata.labels, defaults);
  if (exemptions.namespaces.has(name)) {
    const isIgnored = !isPrivileged(policy) && !isSamePolicy(policy, defaults);
    if (isIgnored && (before === undefined || !isSamePolicy(policy, before))) {
      const text = policyText(policy);
      warn(`namespace "${name}" is exempt from Pod Security, and the policy (${text}) will be ignored`);
    }
    return;
  }
  if (before === undefined || !isTightened(policy.enforce, before.enforce)) return;
  return mapMaybe(objects.list(pods, name), (found) => existingPodWarnings(name, found, policy.enforce).forEach(warn));
}

function hasSameErrors(errors: ReturnType<typeof securityLabelErrors>, oldObject: ResourceObject | undefined): boolean {
  const before = securityLabelErrors(oldObject?.metadata.labels);
  return (
    before.length === errors.length &&
    errors.every(({ field, message }, index) => field === before[index]!.field && message === before[index]!.message)
  );
}
