import type { ObjectMeta } from '../meta/object.ts';

/**
 * Returns the metadata in output order, always with the same object shape. The server adds fields to those of the
 * client, and equal objects must have equal bytes. Absent fields are undefined and are not written.
 */
export function orderedMeta(meta: ObjectMeta): ObjectMeta {
  return {
    name: meta.name,
    generateName: meta.generateName,
    namespace: meta.namespace,
    selfLink: meta.selfLink,
    uid: meta.uid,
    resourceVersion: meta.resourceVersion,
    generation: meta.generation,
    creationTimestamp: meta.creationTimestamp,
    deletionTimestamp: meta.deletionTimestamp,
    deletionGracePeriodSeconds: meta.deletionGracePeriodSeconds,
    labels: meta.labels,
    annotations: meta.annotations,
    ownerReferences: meta.ownerReferences,
    finalizers: meta.finalizers,
    managedFields: meta.managedFields,
  };
}
