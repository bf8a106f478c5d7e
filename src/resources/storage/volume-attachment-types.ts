import { bool, field, int32, mapOf, string, struct, time } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';
import { PersistentVolumeSpec } from '../core/persistent-volume-types.ts';

export const VolumeAttachment = struct('storage/v1.VolumeAttachment', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, VolumeAttachmentSpec, { required: true, always: true }),
  status: field(3, VolumeAttachmentStatus),
}));

export type VolumeAttachment = ObjectOf<typeof VolumeAttachment>;

export const VolumeAttachmentSpec = struct('storage/v1.VolumeAttachmentSpec', () => ({
  attacher: field(1, string, { required: true, always: true }),
  source: field(2, VolumeAttachmentSource, { required: true, always: true }),
  nodeName: field(3, string, { required: true, always: true }),
}));

export type VolumeAttachmentSpec = TypeOf<typeof VolumeAttachmentSpec>;

export const VolumeAttachmentSource = struct('storage/v1.VolumeAttachmentSource', () => ({
  persistentVolumeName: field(1, string, { pointer: true }),
  inlineVolumeSpec: field(2, PersistentVolumeSpec, { pointer: true }),
}));

export type VolumeAttachmentSource = TypeOf<typeof VolumeAttachmentSource>;

export const VolumeAttachmentStatus = struct('storage/v1.VolumeAttachmentStatus', () => ({
  attached: field(1, bool, { required: true, always: true }),
  attachmentMetadata: field(2, mapOf(string)),
  attachError: field(3, VolumeError, { pointer: true }),
  detachError: field(4, VolumeError, { pointer: true }),
}));

export type VolumeAttachmentStatus = TypeOf<typeof VolumeAttachmentStatus>;

export const VolumeError = struct('storage/v1.VolumeError', () => ({
  time: field(1, time),
  message: field(2, string),
  errorCode: field(3, int32, { pointer: true }),
}));

export type VolumeError = TypeOf<typeof VolumeError>;
