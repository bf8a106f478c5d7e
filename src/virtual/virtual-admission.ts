import type { AdmissionChain, AdmissionRequest, AdmissionTarget } from '../admission/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import { admissionRequest } from '../registry/admit-write.ts';
import type { CreateRequest } from '../registry/resource.ts';

/** Admission of objects that are created but not stored: `mutate` gets the sent object, `validate` the result. */
export type VirtualAdmission = Pick<AdmissionChain, 'mutate' | 'validate'>;

export const admitAll: VirtualAdmission = { mutate: ({ object }) => object, validate: () => {} };

/** The admission request for the creation of a virtual resource or subresource. */
export function creationRequest(
  target: AdmissionTarget,
  object: ResourceObject,
  request: CreateRequest,
): AdmissionRequest {
  const { namespace, name, user, dryRun, warn, admissionContext } = request;
  const item = { namespace, name };
  const write = { operation: 'CREATE', object, oldObject: undefined, item, user, dryRun, warn } as const;
  return admissionRequest(target, { ...write, admissionContext });
}
