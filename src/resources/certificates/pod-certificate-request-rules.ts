import { systemClock, timestamp } from '../../meta/clock.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { keepStoredMetadata } from '../storage/keep-stored-metadata.ts';
import { validateImmutable } from '../validation/immutable.ts';
import { internalValue } from '../validation/internal-value.ts';
import { finalConditions, podRequestStatusOf } from './pod-certificate-request.ts';
import { validatePodRequestStatus } from './pod-certificate-request-status.ts';
import { PodCertificateRequestSpec } from './pod-certificate-request-types.ts';
import { validatePodRequest } from './pod-certificate-request-validation.ts';
import { transitionTime, withStoredConditions } from './stored-conditions.ts';

export const podCertificateRequestRules: Partial<ResourceRules> = {
  validate: validatePodRequest,
  // The certificate is issued for the original spec.
  validateUpdate: (next, oldObject) =>
    validateImmutable(
      { next: next.spec, oldValue: oldObject.spec, shown: internalValue(PodCertificateRequestSpec, next.spec) },
      'spec',
    ),
  validateStatus: validatePodRequestStatus,
  prepareStatusUpdate(next, oldObject, clock) {
    keepStoredMetadata(next, oldObject);
    keepConditions(next, oldObject, clock);
  },
};

/** Keeps final conditions as stored. Sets absent times to those of the equal stored condition, or to now. */
function keepConditions(next: ResourceObject, oldObject: ResourceObject, clock = systemClock): void {
  const status = podRequestStatusOf(next);
  const before = podRequestStatusOf(oldObject).conditions ?? [];
  const conditions = withStoredConditions(status.conditions, before, finalConditions);
  if (!conditions?.length) return;
  const now = timestamp(clock);
  next.status = {
    ...status,
    conditions: conditions.map((condition) => ({
      ...condition,
      lastTransitionTime: condition.lastTransitionTime ?? transitionTime(condition, before) ?? now,
    })),
  };
}
