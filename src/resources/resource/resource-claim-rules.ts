import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { Steps } from '../../meta/turns.ts';
import type { ResourceRules, ValidatedWrite } from '../../registry/resource-definition.ts';
import { keepStoredMetadata } from '../storage/keep-stored-metadata.ts';
import { immutableDetail } from '../validation/immutable.ts';
import { internalValue } from '../validation/internal-value.ts';
import { isSameOfType } from '../validation/same-of-type.ts';
import { validateTemplateMetadata } from '../validation/template-metadata.ts';
import { adminLabel, adminLabelOfStatus } from './admin-access.ts';
import { deviceKey } from './device-status.ts';
import { claimStatusOf, validateClaimStatus } from './resource-claim-status.ts';
import { type ExactDeviceRequest, ResourceClaimSpec, ResourceClaimTemplateSpec } from './resource-claim-types.ts';
import { validateClaimSpec } from './resource-claim-validation.ts';

const specOf = ({ spec }: ResourceObject): ResourceClaimSpec => (spec as ResourceClaimSpec | undefined) ?? {};

export const resourceClaimRules: Partial<ResourceRules> = {
  updateChecks: ['metadata', 'metadataChange', 'change'],
  setDefaults: (claim) => setClaimSpecDefaults(specOf(claim)),
  *validateSteps(claim, { oldObject, endpoint }) {
    if (oldObject === undefined) return yield* validateClaimSpec(specOf(claim), 'spec');
    if (endpoint === 'status') return validateClaimStatus(claim, oldObject);
    if (isSameOfType(ResourceClaimSpec, claim.spec, oldObject.spec)) return [];
    return [invalidValue('spec', internalValue(ResourceClaimSpec, specOf(claim)), immutableDetail)];
  },
  requiredLabel(claim, { oldObject, endpoint }) {
    if (oldObject === undefined) return adminLabel(specOf(claim));
    return endpoint === 'status' ? adminLabelOfStatus(claim, oldObject) : undefined;
  },
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

const templateOf = ({ spec }: ResourceObject): ResourceClaimTemplateSpec =>
  (spec as ResourceClaimTemplateSpec | undefined) ?? {};

function* validateTemplate(template: ResourceObject, { oldObject }: ValidatedWrite): Steps<FieldError[]> {
  const { metadata, spec = {} } = templateOf(template);
  const errors = [
    ...validateTemplateMetadata(metadata, 'spec.metadata'),
    ...(yield* validateClaimSpec(spec, 'spec.spec')),
  ];
  if (oldObject === undefined || isSameOfType(ResourceClaimTemplateSpec, template.spec, oldObject.spec)) return errors;
  const shown = { ...(metadata ?? ({} as object)), Spec: internalValue(ResourceClaimSpec, spec) };
  return [...errors, invalidValue('spec', shown, immutableDetail)];
}

export const resourceClaimTemplateRules: Partial<ResourceRules> = {
  updateChecks: ['metadata', 'metadataChange', 'change'],
  setDefaults: (template) => setClaimSpecDefaults(templateOf(template).spec ?? {}),
  validateSteps: validateTemplate,
  requiredLabel: (template, { oldObject }) =>
    oldObject === undefined ? adminLabel(templateOf(template).spec ?? {}) : undefined,
};

function setClaimSpecDefaults({ devices }: ResourceClaimSpec): void {
  for (const { exactly, firstAvailable } of devices?.requests ?? []) {
    if (exactly !== undefined) setRequirementDefaults(exactly);
    for (const choice of firstAvailable ?? []) setRequirementDefaults(choice);
  }
}

function setRequirementDefaults(requirement: ExactDeviceRequest): void {
  requirement.allocationMode ||= 'ExactCount';
  if (requirement.allocationMode === 'ExactCount') requirement.count ||= 1;
}
