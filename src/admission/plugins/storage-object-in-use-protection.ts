import type { AdmissionPlugin } from '../admission-plugin.ts';

const finalizers: Readonly<Record<string, string>> = {
  '/persistentvolumeclaims': 'kubernetes.io/pvc-protection',
  '/persistentvolumes': 'kubernetes.io/pv-protection',
  'storage.k8s.io/volumeattributesclasses': 'kubernetes.io/vac-protection',
};

/** Adds finalizers that delay the deletion of volumes, claims and volume attributes classes until they are unused. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  rules: [{ operations: ['CREATE'], resources: Object.keys(finalizers) }],
  mutate({ resource: { group, resource }, object: { metadata } }) {
    const finalizer = finalizers[`${group}/${resource}`];
    if (finalizer === undefined || metadata.finalizers?.includes(finalizer)) return;
    metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
  },
};
