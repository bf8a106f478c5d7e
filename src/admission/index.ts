/**
 * Admission: plugins between a valid request and storage. They complete objects from other objects in the cluster, and
 * reject requests that violate a policy. A plugin is specific to its kinds. Rules that need only the object itself
 * belong to its type.
 */
export { AdmissionChain } from './admission-chain.ts';
export { AdmissionMetrics } from './admission-metrics.ts';
export type { AdmissionPlugin, ObjectUpdater } from './admission-plugin.ts';
export type {
  AdmissionContext,
  AdmissionOperation,
  AdmissionRequest,
  AdmissionStep,
  AdmissionTarget,
  AdmittedKind,
  RequestOptions,
} from './admission-request.ts';
export type { KindFinder, ServedKind } from './kind-finder.ts';
export { alwaysAdmit, alwaysDeny } from './plugins/always.ts';
export { alwaysPullImages } from './plugins/always-pull-images.ts';
export { certificateApproval } from './plugins/certificate-approval.ts';
export { certificateSigning } from './plugins/certificate-signing.ts';
export { certificateSubjectRestriction } from './plugins/certificate-subject-restriction.ts';
export { clusterTrustBundleAttest } from './plugins/cluster-trust-bundle-attest.ts';
export { defaultIngressClass } from './plugins/default-ingress-class.ts';
export { defaultStorageClass } from './plugins/default-storage-class.ts';
export { defaultTolerationSeconds } from './plugins/default-toleration-seconds.ts';
export { denyServiceExternalIps } from './plugins/deny-service-external-ips.ts';
export { type EventLimit, eventLimitTypes, eventRateLimit } from './plugins/event-rate-limit.ts';
export { extendedResourceToleration } from './plugins/extended-resource-toleration.ts';
export {
  type ImagePolicyOptions,
  type ImageReviewSpec,
  type ImageReviewStatus,
  imagePolicyWebhook,
} from './plugins/image-policy-webhook.ts';
export { jobValidation } from './plugins/job-validation.ts';
export { limitPodHardAntiAffinityTopology } from './plugins/limit-pod-hard-anti-affinity-topology.ts';
export { limitRanger } from './plugins/limit-ranger.ts';
export { type CreateNamespace, namespaceAutoProvision } from './plugins/namespace-auto-provision.ts';
export { namespaceExists } from './plugins/namespace-exists.ts';
export { namespaceLifecycle } from './plugins/namespace-lifecycle.ts';
export { nodeDeclaredFeatureValidator } from './plugins/node-declared-feature-validator.ts';
export { type NodeRestrictionOptions, nodeRestriction } from './plugins/node-restriction/node-restriction.ts';
export { ownerReferencesPermission } from './plugins/owner-references-permission.ts';
export { persistentVolumeClaimResize } from './plugins/persistent-volume-claim-resize.ts';
export { podCertificateSigning } from './plugins/pod-certificate-signing.ts';
export { podGroupProtection, podGroupWorkloadExists } from './plugins/pod-groups.ts';
export { type NodeSelectorConfiguration, podNodeSelector } from './plugins/pod-node-selector.ts';
export { podResizeValidator } from './plugins/pod-resize-validator.ts';
export { securityLevels, securityVersionPattern } from './plugins/pod-security/security-policy.ts';
export { type PodSecurityConfiguration, podSecurity } from './plugins/pod-security.ts';
export { podTolerationRestriction, type TolerationConfiguration } from './plugins/pod-toleration-restriction.ts';
export { podTopologyLabels } from './plugins/pod-topology-labels.ts';
export { priority } from './plugins/priority.ts';
export type { LimitedResource } from './plugins/resource-quota/limited-resources.ts';
export type { ScopeRequirement } from './plugins/resource-quota/quota.ts';
export { quotaMeasure } from './plugins/resource-quota/quota-measure.ts';
export { resourceQuota } from './plugins/resource-quota.ts';
export { roleEscalation } from './plugins/role-escalation.ts';
export { runtimeClass } from './plugins/runtime-class.ts';
export { serviceAccount } from './plugins/service-account.ts';
export { storageObjectInUseProtection } from './plugins/storage-object-in-use-protection.ts';
export { taintNodesByCondition } from './plugins/taint-nodes-by-condition.ts';
export { readTolerations, type Toleration } from './plugins/tolerations.ts';
export type { TypesOfKind } from './plugins/types-of-kind.ts';
export { mutatingAdmissionPolicy } from './policies/mutating-admission-policy.ts';
export { checkPolicyTypes, type ServedType, type ServedTypes } from './policies/type-check.ts';
export { validatingAdmissionPolicy } from './policies/validating-admission-policy.ts';
export { mutatingAdmissionWebhook, validatingAdmissionWebhook } from './webhooks/index.ts';
