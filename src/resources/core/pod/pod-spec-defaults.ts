import type { PodSpec, PodTemplateSpec } from '../pod-types.ts';
import { roundResources } from '../resource-list.ts';
import { setContainerDefaults } from './container-defaults.ts';
import { setVolumeDefaults } from './volume-defaults.ts';

/** Annotations of old Kubernetes versions that nothing reads. They are removed on every write. */
const obsoleteAnnotations = [
  'pod.beta.kubernetes.io/init-containers',
  'pod.alpha.kubernetes.io/init-containers',
  'pod.beta.kubernetes.io/init-container-statuses',
  'pod.alpha.kubernetes.io/init-container-statuses',
];

/** Sets the defaults of a pod template in place. Expects the canonical form. */
export function setPodTemplateDefaults(template: unknown): void {
  if (typeof template !== 'object' || template === null) return;
  const { metadata, spec } = template as PodTemplateSpec;
  if (metadata !== undefined) dropObsoleteAnnotations(metadata);
  if (spec !== undefined) setPodSpecDefaults(spec);
}

export function dropObsoleteAnnotations(metadata: { annotations?: Record<string, string> }): void {
  const { annotations } = metadata;
  if (annotations === undefined) return;
  // Deleting an absent property is slow, and the annotations are hardly ever present.
  for (const key of obsoleteAnnotations) if (annotations[key] !== undefined) delete annotations[key];
}

/** Sets the defaults that pods and pod templates share. */
export function setPodSpecDefaults(spec: PodSpec): void {
  spec.restartPolicy ??= 'Always';
  spec.terminationGracePeriodSeconds ??= 30;
  spec.dnsPolicy ??= 'ClusterFirst';
  // `serviceAccount` is the deprecated alias of `serviceAccountName`.
  spec.serviceAccountName ||= spec.serviceAccount;
  if (spec.serviceAccountName) spec.serviceAccount = spec.serviceAccountName;
  spec.securityContext ??= {};
  spec.schedulerName ??= 'default-scheduler';
  for (const volume of spec.volumes ?? []) setVolumeDefaults(volume);
  for (const container of spec.initContainers ?? []) setContainerDefaults(container);
  for (const container of spec.containers ?? []) setContainerDefaults(container);
  for (const container of spec.ephemeralContainers ?? []) setContainerDefaults(container);
  roundResources(spec.overhead);
  roundResources(spec.resources?.limits);
  roundResources(spec.resources?.requests);
}
