import type { AdmissionChain, AdmissionRequest, AdmissionTarget } from '../../admission/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { admissionRequest } from '../../registry/admit-write.ts';
import type { CreateRequest } from '../../registry/resource.ts';

/** Has a say about what is created and not stored: `mutate` about what was sent, `validate` about what it has become. */
export type VirtualAdmission = Pick<AdmissionChain, 'mutate' | 'validate'>;

export const admitsEverything: VirtualAdmission = { mutate: () => {}, validate: () => {} };

/** What is asked about the creation of a subresource. */
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
