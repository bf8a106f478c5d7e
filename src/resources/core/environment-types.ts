import { bool, field, string, struct } from '../../schema/builders.ts';
import type { TypeOf } from '../../schema/type-of.ts';
import {
  ConfigMapKeySelector,
  FileKeySelector,
  LocalObjectReference,
  ObjectFieldSelector,
  ResourceFieldSelector,
  SecretKeySelector,
} from './reference-types.ts';

// Environment variables of a container.

export const EnvVar = struct('core/v1.EnvVar', () => ({
  name: field(1, string, { required: true, always: true }),
  value: field(2, string),
  valueFrom: field(3, EnvVarSource, { pointer: true }),
}));

export type EnvVar = TypeOf<typeof EnvVar>;

export const EnvVarSource = struct('core/v1.EnvVarSource', () => ({
  fieldRef: field(1, ObjectFieldSelector, { pointer: true }),
  resourceFieldRef: field(2, ResourceFieldSelector, { pointer: true }),
  configMapKeyRef: field(3, ConfigMapKeySelector, { pointer: true }),
  secretKeyRef: field(4, SecretKeySelector, { pointer: true }),
  fileKeyRef: field(5, FileKeySelector, { pointer: true }),
}));

export type EnvVarSource = TypeOf<typeof EnvVarSource>;

export const EnvFromSource = struct('core/v1.EnvFromSource', () => ({
  prefix: field(1, string),
  configMapRef: field(2, ConfigMapEnvSource, { pointer: true }),
  secretRef: field(3, SecretEnvSource, { pointer: true }),
}));

export type EnvFromSource = TypeOf<typeof EnvFromSource>;

export const ConfigMapEnvSource = struct('core/v1.ConfigMapEnvSource', () => ({
  localObjectReference: field(1, LocalObjectReference, { inline: true }),
  optional: field(2, bool, { pointer: true }),
}));

export const SecretEnvSource = struct('core/v1.SecretEnvSource', () => ({
  localObjectReference: field(1, LocalObjectReference, { inline: true }),
  optional: field(2, bool, { pointer: true }),
}));
