import { forbiddenValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { RequiredLabel } from '../../registry/resource-definition.ts';
import { claimStatusOf } from './resource-claim-status.ts';
import type { ResourceClaimSpec } from './resource-claim-types.ts';

const label = { name: 'resource.kubernetes.io/admin-access', value: 'true' };

function required(field: string): RequiredLabel {
  const detail = `admin access to devices requires the \`${label.name}: ${label.value}\` label on the containing namespace`;
  return { ...label, error: forbiddenValue(field, detail) };
}

/** Claims for devices that others use are reserved to administrators, whose namespaces have a label. */
export function adminLabel({ devices }: ResourceClaimSpec): RequiredLabel | undefined {
  const index = (devices?.requests ?? []).findIndex(({ exactly }) => exactly?.adminAccess === true);
  // The path is the same for a claim in a template.
  return index < 0 ? undefined : required(`spec.devices.requests[${index}].adminAccess`);
}

/** Admin access that has been granted stays, even if the labels change. */
export function adminLabelOfStatus(next: ResourceObject, oldObject: ResourceObject): RequiredLabel | undefined {
  if (grantedTo(oldObject) >= 0) return undefined;
  const index = grantedTo(next);
  return index < 0 ? undefined : required(`status.allocation.devices.results[${index}].adminAccess`);
}

function grantedTo(claim: ResourceObject): number {
  return (claimStatusOf(claim).allocation?.devices?.results ?? []).findIndex(({ adminAccess }) => adminAccess === true);
}
