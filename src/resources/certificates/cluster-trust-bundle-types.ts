import { field, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { TypeOf } from '../../schema/type-of.ts';

export const ClusterTrustBundle = struct('certificates/v1beta1.ClusterTrustBundle', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, ClusterTrustBundleSpec, { required: true, always: true }),
}));

export const ClusterTrustBundleSpec = struct('certificates/v1beta1.ClusterTrustBundleSpec', () => ({
  signerName: field(1, string),
  trustBundle: field(2, string, { required: true, always: true }),
}));

export type ClusterTrustBundleSpec = TypeOf<typeof ClusterTrustBundleSpec>;
