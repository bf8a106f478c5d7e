/**
 * Admission: plugins between a valid request and storage. They complete objects from other objects in the cluster, and
 * reject what a policy does not allow. A plugin knows its kinds. Rules that need only the object itself belong to its
 * type.
 */
export { AdmissionChain } from './admission-chain.ts';
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
export { certificateApproval } from './plugins/certificate-approval.ts';
export { certificateSigning } from './plugins/certificate-signing.ts';
export { certificateSubjectRestriction } from './plugins/certificate-subject-restriction.ts';
export { clusterTrustBundleAttest } from './plugins/cluster-trust-bundle-attest.ts';
export { defaultIngressClass } from './plugins/default-ingress-class.ts';
export { defaultStorageClass } from './plugins/default-storage-class.ts';
export { defaultTolerationSeconds } from './plugins/default-toleration-seconds.ts';
export { limitRanger } from './plugins/limit-ranger.ts';
export { namespaceLifecycle } from './plugins/namespace-lifecycle.ts';
export { type NodeRestrictionOptions, nodeRestriction } from './plugins/node-restriction/node-restriction.ts';
export { persistentVolumeClaimResize } from './plugins/persistent-volume-claim-resize.ts';
export { podCertificateSigning } from './plugins/pod-certificate-signing.ts';
export { podSecurity } from './plugins/pod-security.ts';
export { priority } from './plugins/priority.ts';
export { quotaMeasure } from './plugins/resource-quota/quota-measure.ts';
export { resourceQuota } from './plugins/resource-quota.ts';
export { roleEscalation } from './plugins/role-escalation.ts';
export { runtimeClass } from './plugins/runtime-class.ts';
export { storageObjectInUseProtection } from './plugins/storage-object-in-use-protection.ts';
export { taintNodesByCondition } from './plugins/taint-nodes-by-condition.ts';
export { checkPolicyTypes, type ServedType, type ServedTypes } from './policies/type-check.ts';
export { validatingAdmissionPolicy } from './policies/validating-admission-policy.ts';
export { mutatingAdmissionWebhook, validatingAdmissionWebhook } from './webhooks/index.ts';
