import type { AdmissionChain, AdmissionRequest } from '../../admission/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { CreateRequest } from '../../registry/resource.ts';

/** Has a say about what is created and not stored: `mutate` about what was sent, `validate` about what it has become. */
export type VirtualAdmission = Pick<AdmissionChain, 'mutate' | 'validate'>;

export const admitsEverything: VirtualAdmission = { mutate: () => {}, validate: () => {} };

/** What is asked about the creation of a subresource. */
export function creation(
  { group, version, resource, subresource }: Pick<AdmissionRequest, 'group' | 'version' | 'resource' | 'subresource'>,
  object: ResourceObject,
  { namespace, name, user, dryRun, warn }: CreateRequest,
): AdmissionRequest {
  const about = { operation: 'CREATE', group, version, resource, subresource, namespace, name } as const;
  return { ...about, object, stored: undefined, user, dryRun, warn };
}
