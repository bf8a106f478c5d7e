import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import type { ObjectMeta, ResourceObject } from '../../meta/object.ts';
import { validateAnnotations, validateLabels } from '../../meta/validate-labels.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { keepStoredMetadata } from '../storage/keep-stored-metadata.ts';
import { isSameValue } from '../validation/immutable.ts';
import { internalForm } from '../validation/internal-form.ts';
import type { DeviceRequirement } from './device-request-validation.ts';
import { deviceKey } from './device-status.ts';
import { claimStatusOf, validateClaimStatus } from './resource-claim-status.ts';
import { ResourceClaimSpec as ResourceClaimSpecSchema } from './resource-claim-types.ts';
import { type ClaimSpec, validateClaimSpec } from './resource-claim-validation.ts';

const specOf = ({ spec }: ResourceObject): ClaimSpec => (spec as ClaimSpec | undefined) ?? {};

export const resourceClaimRules: Partial<ResourceRules> = {
  setDefaults: (claim) => setClaimSpecDefaults(specOf(claim)),
  validate: (claim) => validateClaimSpec(specOf(claim), 'spec'),
  validateUpdate: (next, oldObject) =>
    isSameValue(next.spec, oldObject.spec)
      ? []
      : [invalidValue('spec', internalForm(ResourceClaimSpecSchema, specOf(next)), 'field is immutable')],
  validateStatus: validateClaimStatus,
  prepareStatusUpdate(next, oldObject) {
    keepStoredMetadata(next, oldObject);
    dropReleasedDevices(next, oldObject);
  },
};

/** Removes the status of devices that are no longer allocated. */
function dropReleasedDevices(next: ResourceObject, oldObject: ResourceObject): void {
  const status = claimStatusOf(next);
  if (status.devices === undefined) return;
  const released = new Set((claimStatusOf(oldObject).allocation?.devices?.results ?? []).map(deviceKey));
  for (const result of status.allocation?.devices?.results ?? []) released.delete(deviceKey(result));
  if (released.size === 0) return;
  const devices = status.devices.filter((device) => !released.has(deviceKey(device)));
  next.status = { ...status, devices: devices.length === 0 ? undefined : devices };
}

interface TemplateSpec {
  readonly metadata?: ObjectMeta;
  readonly spec?: ClaimSpec;
}

const templateOf = ({ spec }: ResourceObject): TemplateSpec => (spec as TemplateSpec | undefined) ?? {};

function validateTemplate(template: ResourceObject): FieldError[] {
  const { metadata, spec = {} } = templateOf(template);
  return [
    ...validateAnnotations(metadata?.annotations, 'spec.metadata.annotations'),
    ...validateLabels(metadata?.labels, 'spec.metadata.labels'),
    ...validateClaimSpec(spec, 'spec.spec'),
  ];
}

export const resourceClaimTemplateRules: Partial<ResourceRules> = {
  setDefaults: (template) => setClaimSpecDefaults(templateOf(template).spec ?? {}),
  validate: validateTemplate,
  validateUpdate(next, oldObject) {
    if (isSameValue(next.spec, oldObject.spec)) return [];
    const { metadata, spec = {} } = templateOf(next);
    const shown = { ...(metadata ?? ({} as object)), Spec: internalForm(ResourceClaimSpecSchema, spec) };
    return [invalidValue('spec', shown, 'field is immutable')];
  },
};

function setClaimSpecDefaults({ devices }: ClaimSpec): void {
  for (const { exactly, firstAvailable } of devices?.requests ?? []) {
    if (exactly !== undefined) setRequirementDefaults(exactly);
    for (const choice of firstAvailable ?? []) setRequirementDefaults(choice);
  }
}

function setRequirementDefaults(requirement: DeviceRequirement): void {
  requirement.allocationMode ||= 'ExactCount';
  if (requirement.allocationMode === 'ExactCount') requirement.count ||= 1;
}
