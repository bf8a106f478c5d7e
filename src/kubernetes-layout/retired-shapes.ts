const rbac = 'rbac.authorization.k8s.io';
const flowcontrol = 'flowcontrol.apiserver.k8s.io';

/**
 * Versions that are no longer served and have the fields of a served one, in JSON and in protobuf. Objects that were
 * not written for years may still be stored in them. Maps the retired version to the served one. The kinds are those of
 * `retiredVersions` in `resources`.
 */
export const retiredShapes: Readonly<Record<string, string>> = {
  'apps/v1beta2': 'apps/v1',
  'batch/v1beta1': 'batch/v1',
  'coordination.k8s.io/v1beta1': 'coordination.k8s.io/v1',
  'discovery.k8s.io/v1beta1': 'discovery.k8s.io/v1',
  'events.k8s.io/v1beta1': 'events.k8s.io/v1',
  [`${flowcontrol}/v1beta3`]: `${flowcontrol}/v1`,
  'node.k8s.io/v1beta1': 'node.k8s.io/v1',
  'policy/v1beta1': 'policy/v1',
  [`${rbac}/v1beta1`]: `${rbac}/v1`,
  'scheduling.k8s.io/v1beta1': 'scheduling.k8s.io/v1',
  'storage.k8s.io/v1beta1': 'storage.k8s.io/v1',
};
