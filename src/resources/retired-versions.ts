const controllers = { Deployment: 'apps', StatefulSet: 'apps', ControllerRevision: 'apps', Scale: 'autoscaling' };
const rbac = Object.fromEntries(
  ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'].map((kind) => [kind, 'rbac.authorization.k8s.io']),
);
const flowcontrol = Object.fromEntries(
  ['FlowSchema', 'PriorityLevelConfiguration'].map((kind) => [kind, 'flowcontrol.apiserver.k8s.io']),
);
const storage = Object.fromEntries(
  ['StorageClass', 'VolumeAttachment', 'CSIDriver', 'CSINode', 'CSIStorageCapacity'].map((kind) => [
    kind,
    'storage.k8s.io',
  ]),
);

/**
 * Versions of kinds that kube-apiserver can decode but no longer serves. Maps apiVersion and kind to the current group
 * of the kind. An object of such a version has the wrong version, not an unknown kind.
 */
export const retiredVersions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'admissionregistration.k8s.io/v1beta1': {
    MutatingWebhookConfiguration: 'admissionregistration.k8s.io',
    ValidatingWebhookConfiguration: 'admissionregistration.k8s.io',
  },
  'apps/v1beta1': controllers,
  'apps/v1beta2': { ...controllers, DaemonSet: 'apps', ReplicaSet: 'apps' },
  'batch/v1beta1': { CronJob: 'batch' },
  'certificates.k8s.io/v1beta1': { CertificateSigningRequest: 'certificates.k8s.io' },
  'coordination.k8s.io/v1beta1': { Lease: 'coordination.k8s.io' },
  'discovery.k8s.io/v1beta1': { EndpointSlice: 'discovery.k8s.io' },
  'events.k8s.io/v1beta1': { Event: '' },
  'extensions/v1beta1': {
    ...{ Deployment: 'apps', DaemonSet: 'apps', ReplicaSet: 'apps', Scale: 'autoscaling' },
    ...{ Ingress: 'networking.k8s.io', NetworkPolicy: 'networking.k8s.io' },
  },
  'flowcontrol.apiserver.k8s.io/v1beta1': flowcontrol,
  'flowcontrol.apiserver.k8s.io/v1beta2': flowcontrol,
  'flowcontrol.apiserver.k8s.io/v1beta3': flowcontrol,
  'networking.k8s.io/v1beta1': { Ingress: 'networking.k8s.io', IngressClass: 'networking.k8s.io' },
  'node.k8s.io/v1alpha1': { RuntimeClass: 'node.k8s.io' },
  'node.k8s.io/v1beta1': { RuntimeClass: 'node.k8s.io' },
  'policy/v1beta1': { PodDisruptionBudget: 'policy', Eviction: 'policy' },
  'rbac.authorization.k8s.io/v1alpha1': rbac,
  'rbac.authorization.k8s.io/v1beta1': rbac,
  'scheduling.k8s.io/v1beta1': { PriorityClass: 'scheduling.k8s.io' },
  'storage.k8s.io/v1beta1': storage,
};
