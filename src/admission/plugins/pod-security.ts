import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { invalid } from '../../meta/status-error.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { existingPodWarnings } from './pod-security/existing-pods.ts';
import { podOf, securedPod } from './pod-security/secured-pod.ts';
import { detailsOf, violations } from './pod-security/security-checks.ts';
import {
  isSameStandard,
  isTightened,
  type SecurityPolicy,
  securityLabelErrors,
  securityPolicy,
  standardName,
} from './pod-security/security-policy.ts';
import { isSignificantChange } from './pod-security/significant-change.ts';
import { refused } from './refused.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };
const pods = { group: '', version: 'v1', resource: 'pods' };

/**
 * Enforces the pod security standards that the labels of a namespace select. For pod templates that violate them it
 * only warns.
 */
export const podSecurity: AdmissionPlugin = {
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
    if (resource.resource === 'namespaces') return checkNamespace(request, objects);
    return mapMaybe(objects.get(namespaces, { namespace: '', name }), (namespace) => {
      checkPod(request, securityPolicy(namespace?.metadata.labels));
    });
  },
};

function checkPod(request: AdmissionRequest, { enforce, warn }: SecurityPolicy): void {
  if (enforce.level === 'privileged' && warn.level === 'privileged') return;
  const { object, oldObject } = request;
  const { resource } = request.resource;
  if (resource === 'pods' && oldObject !== undefined && !isSignificantChange(object, oldObject)) return;
  const template = podOf(resource, object);
  if (template === undefined) return;
  const pod = securedPod(template);
  if (resource === 'pods') {
    const found = violations(enforce, pod);
    if (found.length > 0) {
      throw refused(request, `violates PodSecurity "${standardName(enforce)}": ${detailsOf(found)}`);
    }
    if (isSameStandard(enforce, warn)) return;
  }
  const found = violations(warn, pod);
  if (found.length > 0) request.warn(`would violate PodSecurity "${standardName(warn)}": ${detailsOf(found)}`);
}

function checkNamespace({ object, oldObject, warn }: AdmissionRequest, objects: ObjectReader): MaybePromise<void> {
  const { name = '', labels } = object.metadata;
  const errors = securityLabelErrors(labels);
  // Labels that were already invalid must not block other changes.
  if (errors.length > 0 && !hasSameErrors(errors, oldObject)) {
    throw invalid({ group: '', kind: 'Namespace' }, name, errors);
  }
  if (oldObject === undefined) return;
  const { enforce } = securityPolicy(labels);
  if (!isTightened(enforce, securityPolicy(oldObject.metadata.labels).enforce)) return;
  return mapMaybe(objects.list(pods, name), (found) => existingPodWarnings(name, found, enforce).forEach(warn));
}

function hasSameErrors(errors: ReturnType<typeof securityLabelErrors>, oldObject: ResourceObject | undefined): boolean {
  const before = securityLabelErrors(oldObject?.metadata.labels);
  return (
    before.length === errors.length &&
    errors.every(({ field, message }, index) => field === before[index]!.field && message === before[index]!.message)
  );
}
