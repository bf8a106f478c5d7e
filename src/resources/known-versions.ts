import type { GroupVersion } from '../meta/group-version.ts';

interface KnownVersion extends GroupVersion {
  /** Whether the libraries of clients do not know it. */
  readonly serverOnly: boolean;
}

/**
 * The group versions that kube-apiserver knows, whether it serves them or not. Kinds such as `DeleteOptions` belong to
 * all of them.
 */
const versions: Readonly<Record<string, string>> = {
  '': 'v1',
  'admission.k8s.io': 'v1 v1beta1',
  'admissionregistration.k8s.io': 'v1 v1alpha1 v1beta1',
  'apiextensions.k8s.io': 'v1 v1beta1',
  'apiregistration.k8s.io': 'v1 v1beta1',
  apps: 'v1 v1beta1 v1beta2',
  'authentication.k8s.io': 'v1 v1alpha1 v1beta1',
  'authorization.k8s.io': 'v1 v1beta1',
  autoscaling: 'v1 v2',
  batch: 'v1 v1beta1',
  'certificates.k8s.io': 'v1 v1alpha1 v1beta1',
  'coordination.k8s.io': 'v1 v1alpha2 v1beta1',
  'discovery.k8s.io': 'v1 v1beta1',
  'events.k8s.io': 'v1 v1beta1',
  extensions: 'v1beta1',
  'flowcontrol.apiserver.k8s.io': 'v1 v1beta1 v1beta2 v1beta3',
  'imagepolicy.k8s.io': 'v1alpha1',
  'internal.apiserver.k8s.io': 'v1alpha1',
  'networking.k8s.io': 'v1 v1beta1',
  'node.k8s.io': 'v1 v1alpha1 v1beta1',
  policy: 'v1 v1beta1',
  'rbac.authorization.k8s.io': 'v1 v1alpha1 v1beta1',
  'resource.k8s.io': 'v1 v1alpha3 v1beta1 v1beta2',
  'scheduling.k8s.io': 'v1 v1alpha2 v1beta1',
  'storage.k8s.io': 'v1 v1alpha1 v1beta1',
  'storagemigration.k8s.io': 'v1beta1',
};

const serverOnlyGroups: ReadonlySet<string> = new Set([
  'admission.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'imagepolicy.k8s.io',
]);

export const knownVersions: readonly KnownVersion[] = Object.entries(versions).flatMap(([group, names]) =>
  names.split(' ').map((version) => ({ group, version, serverOnly: serverOnlyGroups.has(group) })),
);
