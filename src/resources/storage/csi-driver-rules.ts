import { duplicateValue, type FieldError, invalidValue, notSupportedValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { isSameValue } from '../validation/immutable.ts';
import type { CSIDriverSpec, TokenRequest } from './csi-types.ts';

const lifecycleModes = ['Persistent', 'Ephemeral'];
const groupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType'];
const minTokenSeconds = 10 * 60;
const maxTokenSeconds = 2 ** 32;
const minUpdatePeriodSeconds = 10;

function specOf({ spec }: ResourceObject): CSIDriverSpec {
  return (spec as CSIDriverSpec | undefined) ?? {};
}

function setDefaults(driver: ResourceObject): void {
  driver.spec ??= {};
  const spec = driver.spec as CSIDriverSpec;
  spec.attachRequired ??= true;
  spec.podInfoOnMount ??= false;
  if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ['Persistent'];
  spec.storageCapacity ??= false;
  spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
  spec.requiresRepublish ??= false;
  spec.seLinuxMount ??= false;
}

function validate(driver: ResourceObject): FieldError[] {
  const spec = specOf(driver);
  const errors: FieldError[] = [];
  if (spec.fsGroupPolicy !== undefined && !groupPolicies.includes(spec.fsGroupPolicy)) {
    errors.push(notSupportedValue('spec.fsGroupPolicy', spec.fsGroupPolicy, groupPolicies));
  }
  errors.push(...validateTokenRequests(spec.tokenRequests ?? []));
  for (const mode of spec.volumeLifecycleModes ?? []) {
    if (!lifecycleModes.includes(mode)) {
      errors.push(notSupportedValue('spec.volumeLifecycleModes', mode, lifecycleModes));
    }
  }
  const period = spec.nodeAllocatableUpdatePeriodSeconds;
  if (period !== undefined && period < minUpdatePeriodSeconds) {
    const detail = 'must be greater than or equal to 10 seconds';
    errors.push(invalidValue('spec.nodeAllocatableUpdatePeriodSeconds', period, detail));
  }
  const inSecrets = spec.serviceAccountTokenInSecrets;
  if (inSecrets !== undefined && !spec.tokenRequests?.length) {
    const detail = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
    errors.push(invalidValue('spec.serviceAccountTokenInSecrets', inSecrets, detail));
  }
  return errors;
}

function validateTokenRequests(requests: readonly TokenRequest[]): FieldError[] {
  const errors: FieldError[] = [];
  const audiences = new Set<string>();
  for (const [index, { audience = '', expirationSeconds }] of requests.entries()) {
    const field = `spec.tokenRequests[${index}]`;
    if (audiences.has(audience)) {
      errors.push(duplicateValue(`${field}.audience`, audience));
      continue;
    }
    audiences.add(audience);
    if (expirationSeconds === undefined) continue;
    if (expirationSeconds < minTokenSeconds) {
      const detail = 'may not specify a duration less than 10 minutes';
      errors.push(invalidValue(`${field}.expirationSeconds`, expirationSeconds, detail));
    }
    if (expirationSeconds > maxTokenSeconds) {
      const detail = 'may not specify a duration larger than 2^32 seconds';
      errors.push(invalidValue(`${field}.expirationSeconds`, expirationSeconds, detail));
    }
  }
  return errors;
}

function validateChange(next: CSIDriverSpec, oldSpec: CSIDriverSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (next.attachRequired !== oldSpec.attachRequired) {
    errors.push(invalidValue('spec.attachedRequired', next.attachRequired, 'field is immutable'));
  }
  if (!isSameValue(next.volumeLifecycleModes, oldSpec.volumeLifecycleModes)) {
    errors.push(invalidValue('spec.volumeLifecycleModes', next.volumeLifecycleModes, 'field is immutable'));
  }
  return errors;
}

/** The field belongs to a feature gate that is off. An object that has it keeps it. */
function dropUnservedFields(driver: ResourceObject, oldObject: ResourceObject | undefined): void {
  const { preventPodSchedulingIfMissing: sent, ...spec } = specOf(driver);
  if (sent === undefined) return;
  if (oldObject !== undefined && specOf(oldObject).preventPodSchedulingIfMissing !== undefined) return;
  driver.spec = spec;
}

export const csiDriverRules: Partial<ResourceRules> = {
  setDefaults,
  validate,
  validateUpdate: (next, oldObject) => [...validate(next), ...validateChange(specOf(next), specOf(oldObject))],
  warnings(driver, oldObject) {
    const { tokenRequests, serviceAccountTokenInSecrets } = specOf(driver);
    if (!tokenRequests?.length || serviceAccountTokenInSecrets !== undefined) return [];
    if (oldObject !== undefined && isSameValue(tokenRequests, specOf(oldObject).tokenRequests)) return [];
    return [
      'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
    ];
  },
  prepareCreate: (driver) => dropUnservedFields(driver, undefined),
  // The generation is unset until the first change, unlike in other types.
  prepareUpdate(next, oldObject) {
    dropUnservedFields(next, oldObject);
    if (isSameValue(next.spec, oldObject.spec)) return;
    next.metadata.generation = (oldObject.metadata.generation ?? 0) + 1;
  },
};
