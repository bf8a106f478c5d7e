import { bytes, field, int32, listOf, mapOf, namedString, string, struct, time } from '../../schema/builders.ts';
import { Condition, ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';

export const PodCertificateRequest = struct('certificates/v1beta1.PodCertificateRequest', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, PodCertificateRequestSpec, { required: true, always: true }),
  status: field(3, PodCertificateRequestStatus),
}));

export type PodCertificateRequest = ObjectOf<typeof PodCertificateRequest>;

export const PodCertificateRequestSpec = struct('certificates/v1beta1.PodCertificateRequestSpec', () => ({
  signerName: field(1, string, { required: true, always: true }),
  podName: field(2, string, { required: true, always: true }),
  podUID: field(3, namedString('types.UID'), { required: true, always: true }),
  serviceAccountName: field(4, string, { required: true, always: true }),
  serviceAccountUID: field(5, namedString('types.UID'), { required: true, always: true }),
  nodeName: field(6, namedString('types.NodeName'), { required: true, always: true }),
  nodeUID: field(7, namedString('types.UID'), { required: true, always: true }),
  maxExpirationSeconds: field(8, int32, { pointer: true, default: 86_400 }),
  pkixPublicKey: field(9, bytes, { always: true }),
  proofOfPossession: field(10, bytes, { always: true }),
  stubPKCS10Request: field(12, bytes, { required: true, always: true }),
  unverifiedUserAnnotations: field(11, mapOf(string)),
}));

export type PodCertificateRequestSpec = TypeOf<typeof PodCertificateRequestSpec>;

export const PodCertificateRequestStatus = struct('certificates/v1beta1.PodCertificateRequestStatus', () => ({
  conditions: field(1, listOf(Condition), { list: ['type'], patch: { strategies: ['merge'], mergeKey: 'type' } }),
  certificateChain: field(2, string),
  notBefore: field(4, time, { pointer: true }),
  beginRefreshAt: field(5, time, { pointer: true }),
  notAfter: field(6, time, { pointer: true }),
}));

export type PodCertificateRequestStatus = TypeOf<typeof PodCertificateRequestStatus>;
