import { bool, field, int32, int64, listOf, mapOf, string, struct } from '../../schema/builders.ts';
import { LabelSelector } from '../../schema/meta-types.ts';
import type { TypeOf } from '../../schema/type-of.ts';
import { KeyToPath, LocalObjectReference, ObjectFieldSelector, ResourceFieldSelector } from './reference-types.ts';

// Volumes whose files are generated from API objects.

export const SecretVolumeSource = struct('core/v1.SecretVolumeSource', () => ({
  secretName: field(1, string),
  items: field(2, listOf(KeyToPath), { list: 'atomic' }),
  defaultMode: field(3, int32, { pointer: true, defaulted: true }),
  optional: field(4, bool, { pointer: true }),
}));

export const ConfigMapVolumeSource = struct('core/v1.ConfigMapVolumeSource', () => ({
  localObjectReference: field(1, LocalObjectReference, { inline: true }),
  items: field(2, listOf(KeyToPath), { list: 'atomic' }),
  defaultMode: field(3, int32, { pointer: true, defaulted: true }),
  optional: field(4, bool, { pointer: true }),
}));

export const DownwardAPIVolumeSource = struct('core/v1.DownwardAPIVolumeSource', () => ({
  items: field(1, listOf(DownwardAPIVolumeFile), { list: 'atomic' }),
  defaultMode: field(2, int32, { pointer: true, defaulted: true }),
}));

export const DownwardAPIVolumeFile = struct('core/v1.DownwardAPIVolumeFile', () => ({
  path: field(1, string, { required: true, always: true }),
  fieldRef: field(2, ObjectFieldSelector, { pointer: true }),
  resourceFieldRef: field(3, ResourceFieldSelector, { pointer: true }),
  mode: field(4, int32, { pointer: true }),
}));

export type DownwardAPIVolumeFile = TypeOf<typeof DownwardAPIVolumeFile>;

export const ProjectedVolumeSource = struct('core/v1.ProjectedVolumeSource', () => ({
  sources: field(1, listOf(VolumeProjection), { always: true, list: 'atomic' }),
  defaultMode: field(2, int32, { pointer: true, defaulted: true }),
}));

export type ProjectedVolumeSource = TypeOf<typeof ProjectedVolumeSource>;

export const VolumeProjection = struct('core/v1.VolumeProjection', () => ({
  secret: field(1, SecretProjection, { pointer: true }),
  downwardAPI: field(2, DownwardAPIProjection, { pointer: true }),
  configMap: field(3, ConfigMapProjection, { pointer: true }),
  serviceAccountToken: field(4, ServiceAccountTokenProjection, { pointer: true }),
  clusterTrustBundle: field(5, ClusterTrustBundleProjection, { pointer: true }),
  podCertificate: field(6, PodCertificateProjection, { pointer: true }),
}));

export type VolumeProjection = TypeOf<typeof VolumeProjection>;

export const SecretProjection = struct('core/v1.SecretProjection', () => ({
  localObjectReference: field(1, LocalObjectReference, { inline: true }),
  items: field(2, listOf(KeyToPath), { list: 'atomic' }),
  optional: field(4, bool, { pointer: true }),
}));

export const DownwardAPIProjection = struct('core/v1.DownwardAPIProjection', () => ({
  items: field(1, listOf(DownwardAPIVolumeFile), { list: 'atomic' }),
}));

export const ConfigMapProjection = struct('core/v1.ConfigMapProjection', () => ({
  localObjectReference: field(1, LocalObjectReference, { inline: true }),
  items: field(2, listOf(KeyToPath), { list: 'atomic' }),
  optional: field(4, bool, { pointer: true }),
}));

export const ServiceAccountTokenProjection = struct('core/v1.ServiceAccountTokenProjection', () => ({
  audience: field(1, string),
  expirationSeconds: field(2, int64, { pointer: true, defaulted: true }),
  path: field(3, string, { required: true, always: true }),
}));

export const ClusterTrustBundleProjection = struct('core/v1.ClusterTrustBundleProjection', () => ({
  name: field(1, string, { pointer: true }),
  signerName: field(2, string, { pointer: true }),
  labelSelector: field(3, LabelSelector, { pointer: true }),
  optional: field(5, bool, { pointer: true }),
  path: field(4, string, { required: true, always: true }),
}));

export type ClusterTrustBundleProjection = TypeOf<typeof ClusterTrustBundleProjection>;

export const PodCertificateProjection = struct('core/v1.PodCertificateProjection', () => ({
  signerName: field(1, string, { required: true }),
  keyType: field(2, string, { required: true }),
  maxExpirationSeconds: field(3, int32, { pointer: true }),
  credentialBundlePath: field(4, string),
  keyPath: field(5, string),
  certificateChainPath: field(6, string),
  userAnnotations: field(7, mapOf(string)),
}));

export type PodCertificateProjection = TypeOf<typeof PodCertificateProjection>;
