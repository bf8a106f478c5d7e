import type { ResourceObject } from '../../meta/object.ts';
import { compareQuantities, parseQuantity } from '../../meta/quantity.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import { admissionForbidden } from './admission-forbidden.ts';

const storageClasses = { group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses' };

interface ClaimSpec {
  readonly storageClassName?: string;
  readonly resources?: { readonly requests?: { readonly storage?: string } };
}

/** Allows a claim to grow only if its storage class allows volume expansion. */
export const persistentVolumeClaimResize: AdmissionPlugin = {
  name: 'PersistentVolumeClaimResize',
  rules: [{ operations: ['UPDATE'], resources: ['/persistentvolumeclaims'] }],
  async validate(request, objects) {
    const { object, oldObject } = request;
    if (oldObject === undefined || !grows(object, oldObject)) return;
    const name = (oldObject.spec as ClaimSpec | undefined)?.storageClassName;
    const found = name ? await objects.get(storageClasses, { namespace: '', name }) : undefined;
    if (found?.allowVolumeExpansion === true) return;
    throw admissionForbidden(
      request,
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  },
};

function grows(object: ResourceObject, oldObject: ResourceObject): boolean {
  const [after, before] = [object, oldObject].map(
    ({ spec }) => (spec as ClaimSpec | undefined)?.resources?.requests?.storage,
  );
  return (
    after !== undefined && before !== undefined && compareQuantities(parseQuantity(after), parseQuantity(before)) > 0
  );
}
