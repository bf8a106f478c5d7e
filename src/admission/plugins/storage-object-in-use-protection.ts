import type { AdmissionPlugin } from '../admission-plugin.ts';

const finalizers: Readonly<Record<string, string>> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
};

/** Volumes and claims wait with their deletion until nobody uses them. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  resources: Object.keys(finalizers).map((resource) => `/${resource}`),
  mutate({ operation, resource, object: { metadata } }) {
    const finalizer = finalizers[resource];
    if (operation !== 'CREATE' || finalizer === undefined || metadata.finalizers?.includes(finalizer)) return;
    metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
  },
};
