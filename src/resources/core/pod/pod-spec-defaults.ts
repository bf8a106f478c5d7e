import { setContainerDefaults } from './container-defaults.ts';
import type { PodSpec, PodTemplate } from './pod-shapes.ts';
import { roundResources } from './resource-rounding.ts';
import { setVolumeDefaults } from './volume-defaults.ts';

/** Annotations of versions that nobody reads any more; they are never kept. */
const forgottenAnnotations = [
  'pod.beta.kubernetes.io/init-containers',
  'pod.alpha.kubernetes.io/init-containers',
  'pod.beta.kubernetes.io/init-container-statuses',
  'pod.alpha.kubernetes.io/init-container-statuses',
];

/** Fills in what a template of pods leaves out. The template is in canonical form and is changed in place. */
export function setPodTemplateDefaults(template: unknown): void {
  if (typeof template !== 'object' || template === null) return;
  const { metadata, spec } = template as PodTemplate;
  if (metadata !== undefined) dropForgottenAnnotations(metadata);
  if (spec !== undefined) setPodSpecDefaults(spec);
}

export function dropForgottenAnnotations(metadata: { annotations?: Record<string, string> }): void {
  const { annotations } = metadata;
  if (annotations === undefined) return;
  // Nobody has them, and to delete what is not there is slow.
  for (const key of forgottenAnnotations) if (annotations[key] !== undefined) delete annotations[key];
}

/** What pods and templates have in common. */
export function setPodSpecDefaults(spec: PodSpec): void {
  spec.restartPolicy ??= 'Always';
  spec.terminationGracePeriodSeconds ??= 30;
  spec.dnsPolicy ??= 'ClusterFirst';
  // The older name of the field is an alias; the newer one wins.
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
