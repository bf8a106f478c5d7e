import type { AdmissionPlugin } from '../admission-plugin.ts';
import { defaultClass } from './default-class.ts';

const storageClasses = { group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses' };
const betaAnnotation = 'volume.beta.kubernetes.io/storage-class';
const isDefault = 'storageclass.kubernetes.io/is-default-class';

/** Sets the default class, if there is one, on claims without a class. */
export const defaultStorageClass: AdmissionPlugin = {
  name: 'DefaultStorageClass',
  rules: [{ operations: ['CREATE'], resources: ['/persistentvolumeclaims'] }],
  async mutate({ object }, objects) {
    const spec = (object.spec ?? {}) as { storageClassName?: string };
    const named = spec.storageClassName !== undefined || object.metadata.annotations?.[betaAnnotation] !== undefined;
    if (named) return;
    const storageClassName = defaultClass(await objects.list(storageClasses, ''), isDefault);
    if (storageClassName !== undefined) object.spec = { ...spec, storageClassName };
  },
};
