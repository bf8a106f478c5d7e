import type { AdmissionChain, AdmissionRequest, AdmissionTarget } from '../admission/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import { admissionRequest } from '../registry/admit-write.ts';
import type { CreateRequest } from '../registry/resource.ts';

/** Admission of objects that are created but not stored: `mutate` gets the sent object, `validate` the result. */
export type VirtualAdmission = Pick<AdmissionChain, 'mutate' | 'validate'>;

export const admitsEverything: VirtualAdmission = { mutate: () => {}, validate: () => {} };

/** The admission request for the creation of a subresource. */
export function creation(
  target: AdmissionTarget,
  object: ResourceObject,
  { namespace, name, user, dryRun, warn }: CreateRequest,
): AdmissionRequest {
  return admissionRequest(target, {
    operation: 'CREATE',
    object,
    oldObject: undefined,
    item: { namespace, name },
    user,
    dryRun,
    warn,
  });
}
