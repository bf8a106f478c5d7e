import { systemClock, timestamp } from '../../meta/clock.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import type {
  CertificateSigningRequestCondition,
  CertificateSigningRequestStatus,
} from './certificate-signing-request-types.ts';
import { requestStatusOf, validateRequest, validateRequestChange } from './certificate-signing-request-validation.ts';
import { transitionTime, withStoredConditions } from './stored-conditions.ts';

const changeChecks = ['metadata', 'change', 'metadataChange'] as const;

export const certificateSigningRequestRules: Partial<ResourceRules> = {
  updateChecks: changeChecks,
  statusChecks: changeChecks,
  validate: validateRequest,
  validateUpdate: (next, oldObject) => validateRequestChange(next, oldObject, { mayDecide: false, mayIssue: false }),
  validateStatus: (next, oldObject) => validateRequestChange(next, oldObject, { mayDecide: false, mayIssue: true }),
  // The requester is the authenticated user. Clients cannot set these fields.
  prepareCreate(object, user) {
    const {
      username: _username,
      uid: _uid,
      groups: _groups,
      extra: _extra,
      ...spec
    } = (object.spec ?? {}) as Record<string, unknown>;
    object.spec = { ...spec, ...requesterOf(user) };
  },
  // The spec is immutable: approval and signature are for the original request.
  prepareUpdate(next, oldObject) {
    next.spec = oldObject.spec;
  },
  prepareStatusUpdate(next, oldObject, clock) {
    const status = { ...requestStatusOf(next), conditions: withStoredDecisions(next, oldObject) };
    next.status = withTimes(status, oldObject, clock);
  },
  subresourceRules: {
    approval: {
      checks: changeChecks,
      prepare(sent, oldObject, clock) {
        const { conditions } = requestStatusOf(sent);
        return { ...oldObject, status: withTimes({ ...requestStatusOf(oldObject), conditions }, oldObject, clock) };
      },
      validate: (next, oldObject) => validateRequestChange(next, oldObject, { mayDecide: true, mayIssue: false }),
    },
  },
};

/** In canonical form: without empty fields, and with sorted keys. */
function requesterOf({ name, uid, groups, extra }: UserInfo): object {
  const keys = Object.keys(extra).sort();
  return {
    ...(name !== '' && { username: name }),
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(keys.length > 0 && { extra: Object.fromEntries(keys.map((key) => [key, extra[key]])) }),
  };
}

/** Signers may send the decision back without its times, so the stored conditions are kept. */
function withStoredDecisions(
  next: ResourceObject,
  oldObject: ResourceObject,
): CertificateSigningRequestCondition[] | undefined {
  const before = requestStatusOf(oldObject).conditions;
  return withStoredConditions(requestStatusOf(next).conditions, before, ['Approved', 'Denied']);
}

/** Sets absent times to those of the equal stored condition, or to now. Fields are in the order of the schema. */
function withTimes(
  { conditions, ...rest }: CertificateSigningRequestStatus,
  oldObject: ResourceObject,
  clock = systemClock,
): CertificateSigningRequestStatus {
  if (!conditions?.length) return rest;
  const now = timestamp(clock);
  const before = requestStatusOf(oldObject).conditions ?? [];
  const timed = conditions.map((condition) => ({
    ...condition,
    lastUpdateTime: condition.lastUpdateTime ?? now,
    lastTransitionTime: condition.lastTransitionTime ?? transitionTime(condition, before) ?? now,
  }));
  return { conditions: timed, ...rest };
}
