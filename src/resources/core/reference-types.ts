import { bool, field, int32, namedString, quantity, string, struct } from '../../schema/builders.ts';
import type { TypeOf } from '../../schema/type-of.ts';

// References from one object to another, or to a field or key of it.

export const ObjectReference = struct(
  'core/v1.ObjectReference',
  () => ({
    kind: field(1, string),
    namespace: field(2, string),
    name: field(3, string),
    uid: field(4, namedString('types.UID')),
    apiVersion: field(5, string),
    resourceVersion: field(6, string),
    fieldPath: field(7, string),
  }),
  { atomic: true },
);

export type ObjectReference = TypeOf<typeof ObjectReference>;

export const LocalObjectReference = struct(
  'core/v1.LocalObjectReference',
  () => ({
    name: field(1, string, { keyDefault: '' }),
  }),
  { atomic: true },
);

export type LocalObjectReference = TypeOf<typeof LocalObjectReference>;

export const SecretReference = struct(
  'core/v1.SecretReference',
  () => ({
    name: field(1, string),
    namespace: field(2, string),
  }),
  { atomic: true },
);

export const TypedLocalObjectReference = struct(
  'core/v1.TypedLocalObjectReference',
  () => ({
    apiGroup: field(1, string, { pointer: true, always: true }),
    kind: field(2, string, { required: true, always: true }),
    name: field(3, string, { required: true, always: true }),
  }),
  { atomic: true },
);

export type TypedLocalObjectReference = TypeOf<typeof TypedLocalObjectReference>;

export const TypedObjectReference = struct('core/v1.TypedObjectReference', () => ({
  apiGroup: field(1, string, { pointer: true, always: true }),
  kind: field(2, string, { required: true, always: true }),
  name: field(3, string, { required: true, always: true }),
  namespace: field(4, string, { pointer: true }),
}));

export type TypedObjectReference = TypeOf<typeof TypedObjectReference>;

export const ConfigMapKeySelector = struct(
  'core/v1.ConfigMapKeySelector',
  () => ({
    localObjectReference: field(1, LocalObjectReference, { inline: true }),
    key: field(2, string, { required: true, always: true }),
    optional: field(3, bool, { pointer: true }),
  }),
  { atomic: true },
);

export const SecretKeySelector = struct(
  'core/v1.SecretKeySelector',
  () => ({
    localObjectReference: field(1, LocalObjectReference, { inline: true }),
    key: field(2, string, { required: true, always: true }),
    optional: field(3, bool, { pointer: true }),
  }),
  { atomic: true },
);

export type SecretKeySelector = TypeOf<typeof SecretKeySelector>;

export const FileKeySelector = struct(
  'core/v1.FileKeySelector',
  () => ({
    volumeName: field(1, string, { required: true, always: true }),
    path: field(2, string, { required: true, always: true }),
    key: field(3, string, { required: true, always: true }),
    optional: field(4, bool, { pointer: true }),
  }),
  { atomic: true },
);

export type FileKeySelector = TypeOf<typeof FileKeySelector>;

export const ObjectFieldSelector = struct(
  'core/v1.ObjectFieldSelector',
  () => ({
    apiVersion: field(1, string),
    fieldPath: field(2, string, { required: true, always: true }),
  }),
  { atomic: true },
);

export type ObjectFieldSelector = TypeOf<typeof ObjectFieldSelector>;

export const ResourceFieldSelector = struct(
  'core/v1.ResourceFieldSelector',
  () => ({
    containerName: field(1, string),
    resource: field(2, string, { required: true, always: true }),
    divisor: field(3, quantity),
  }),
  { atomic: true },
);

export type ResourceFieldSelector = TypeOf<typeof ResourceFieldSelector>;

export const KeyToPath = struct('core/v1.KeyToPath', () => ({
  key: field(1, string, { required: true, always: true }),
  path: field(2, string, { required: true, always: true }),
  mode: field(3, int32, { pointer: true }),
}));

export type KeyToPath = TypeOf<typeof KeyToPath>;
