/**
 * Fields whose markers Kubernetes documents but does not enforce, or enforces elsewhere: with another path, or only
 * under some conditions. The validation of the type, if it has one, decides.
 */
export const fieldsValidatedByTypes: ReadonlySet<string> = new Set([
  'apps/v1.DaemonSetSpec.selector',
  'apps/v1.DaemonSetUpdateStrategy.type',
  'apps/v1.DeploymentStrategy.type',
  'apps/v1.StatefulSetUpdateStrategy.type',
  'authentication/v1.TokenReviewSpec.token',
  'batch/v1.PodFailurePolicy.rules',
  'core/v1.ConfigMapNodeConfigSource.kubeletConfigKey',
  'core/v1.ConfigMapNodeConfigSource.name',
  'core/v1.ConfigMapNodeConfigSource.namespace',
  'core/v1.HTTPHeader.value',
  'core/v1.HostPathVolumeSource.type',
  'core/v1.LimitRangeSpec.limits',
  'core/v1.PersistentVolumeClaimSpec.accessModes',
  'core/v1.PersistentVolumeSpec.accessModes',
  'core/v1.ResourceQuotaSpec.scopes',
  'core/v1.ScopedResourceSelectorRequirement.operator',
  'core/v1.ServiceAccountTokenProjection.path',
  'core/v1.Sysctl.value',
  'core/v1.Taint.effect',
  'discovery/v1.EndpointPort.protocol',
  'discovery/v1.EndpointSlice.addressType',
  'networking/v1.HTTPIngressPath.pathType',
  'networking/v1.NetworkPolicyPort.protocol',
  'resource/v1.DeviceSubRequest.allocationMode',
  'resource/v1.ExactDeviceRequest.allocationMode',
  'resource/v1beta1.DeviceRequest.allocationMode',
  'resource/v1beta1.DeviceSubRequest.allocationMode',
  'resource/v1beta2.DeviceSubRequest.allocationMode',
  'resource/v1beta2.ExactDeviceRequest.allocationMode',
  'scheduling/v1.PriorityClass.preemptionPolicy',
  'storage/v1.CSINodeSpec.drivers',
  'storage/v1.StorageClass.reclaimPolicy',
  'storage/v1.TokenRequest.audience',
]);

/** Types with their own validation, to which the schema rules do not apply. */
export const structsValidatedByTypes: ReadonlySet<string> = new Set([
  'apiextensions/v1.CustomResourceConversion',
  'apiextensions/v1.CustomResourceDefinitionVersion',
  'meta/v1.LabelSelector',
  'meta/v1.ObjectMeta',
]);
