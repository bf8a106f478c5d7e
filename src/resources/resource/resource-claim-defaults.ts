import type { DeviceRequirement } from './device-request-validation.ts';
import type { ClaimSpec } from './resource-claim-validation.ts';

/** Of claims and of templates for them. */
export function setClaimSpecDefaults({ devices }: ClaimSpec): void {
  for (const { exactly, firstAvailable } of devices?.requests ?? []) {
    if (exactly !== undefined) setRequirementDefaults(exactly);
    for (const choice of firstAvailable ?? []) setRequirementDefaults(choice);
  }
}

function setRequirementDefaults(requirement: DeviceRequirement): void {
  requirement.allocationMode ||= 'ExactCount';
  if (requirement.allocationMode === 'ExactCount') requirement.count ||= 1;
}
