import { bool, bytes, field, int32, int64, listOf, namedString, string, struct, time } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { TypeOf } from '../../schema/type-of.ts';
import { JSONSchemaProps } from './json-schema-types.ts';

export const CustomResourceDefinition = struct('apiextensions/v1.CustomResourceDefinition', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, CustomResourceDefinitionSpec, { required: true, always: true }),
  status: field(3, CustomResourceDefinitionStatus),
}));

export const CustomResourceDefinitionSpec = struct('apiextensions/v1.CustomResourceDefinitionSpec', () => ({
  group: field(1, string, { required: true, always: true }),
  names: field(3, CustomResourceDefinitionNames, { required: true, always: true }),
  scope: field(4, namedString('apiextensions/v1.ResourceScope'), { required: true, always: true }),
  versions: field(7, listOf(CustomResourceDefinitionVersion), {
    required: true,
    always: true,
    keepsEmptyForErrors: true,
    list: 'atomic',
  }),
  conversion: field(9, CustomResourceConversion, { pointer: true, defaulted: true }),
  preserveUnknownFields: field(10, bool),
}));

export type CustomResourceDefinitionSpec = TypeOf<typeof CustomResourceDefinitionSpec>;

export const CustomResourceDefinitionNames = struct('apiextensions/v1.CustomResourceDefinitionNames', () => ({
  plural: field(1, string, { required: true, always: true }),
  singular: field(2, string, { defaulted: true }),
  shortNames: field(3, listOf(string), { list: 'atomic' }),
  kind: field(4, string, { required: true, always: true }),
  listKind: field(5, string, { defaulted: true }),
  categories: field(6, listOf(string), { list: 'atomic' }),
}));

export type CustomResourceDefinitionNames = TypeOf<typeof CustomResourceDefinitionNames>;

export const CustomResourceDefinitionVersion = struct('apiextensions/v1.CustomResourceDefinitionVersion', () => ({
  name: field(1, string, { required: true, always: true }),
  served: field(2, bool, { required: true, always: true }),
  storage: field(3, bool, { required: true, always: true }),
  deprecated: field(7, bool),
  deprecationWarning: field(8, string, { pointer: true }),
  schema: field(4, CustomResourceValidation, { pointer: true }),
  subresources: field(5, CustomResourceSubresources, { pointer: true }),
  additionalPrinterColumns: field(6, listOf(CustomResourceColumnDefinition), { list: 'atomic' }),
  selectableFields: field(9, listOf(SelectableField), { list: 'atomic' }),
}));

export type CustomResourceDefinitionVersion = TypeOf<typeof CustomResourceDefinitionVersion>;

export const CustomResourceValidation = struct('apiextensions/v1.CustomResourceValidation', () => ({
  openAPIV3Schema: field(1, JSONSchemaProps, { pointer: true }),
}));

export const CustomResourceSubresources = struct('apiextensions/v1.CustomResourceSubresources', () => ({
  status: field(1, CustomResourceSubresourceStatus, { pointer: true }),
  scale: field(2, CustomResourceSubresourceScale, { pointer: true }),
}));

export type CustomResourceSubresources = TypeOf<typeof CustomResourceSubresources>;

export const CustomResourceSubresourceStatus = struct('apiextensions/v1.CustomResourceSubresourceStatus', () => ({}));

export const CustomResourceSubresourceScale = struct('apiextensions/v1.CustomResourceSubresourceScale', () => ({
  specReplicasPath: field(1, string, { required: true, always: true }),
  statusReplicasPath: field(2, string, { required: true, always: true }),
  labelSelectorPath: field(3, string, { pointer: true }),
}));

export const CustomResourceColumnDefinition = struct('apiextensions/v1.CustomResourceColumnDefinition', () => ({
  name: field(1, string, { required: true, always: true }),
  type: field(2, string, { required: true, always: true }),
  format: field(3, string),
  description: field(4, string),
  priority: field(5, int32),
  jsonPath: field(6, string, { required: true, always: true }),
}));

export type CustomResourceColumnDefinition = TypeOf<typeof CustomResourceColumnDefinition>;

export const SelectableField = struct('apiextensions/v1.SelectableField', () => ({
  jsonPath: field(1, string, { required: true, always: true }),
}));

export const CustomResourceConversion = struct('apiextensions/v1.CustomResourceConversion', () => ({
  strategy: field(1, namedString('apiextensions/v1.ConversionStrategyType'), { required: true, always: true }),
  webhook: field(2, WebhookConversion, { pointer: true }),
}));

export type CustomResourceConversion = TypeOf<typeof CustomResourceConversion>;

export const WebhookConversion = struct('apiextensions/v1.WebhookConversion', () => ({
  clientConfig: field(2, WebhookClientConfig, { pointer: true }),
  conversionReviewVersions: field(3, listOf(string), { required: true, always: true, list: 'atomic' }),
}));

export const WebhookClientConfig = struct('apiextensions/v1.WebhookClientConfig', () => ({
  url: field(3, string, { pointer: true }),
  service: field(1, ServiceReference, { pointer: true }),
  caBundle: field(2, bytes),
}));

export const ServiceReference = struct('apiextensions/v1.ServiceReference', () => ({
  namespace: field(1, string, { required: true, always: true }),
  name: field(2, string, { required: true, always: true }),
  path: field(3, string, { pointer: true }),
  port: field(4, int32, { pointer: true, defaulted: true }),
}));

export const CustomResourceDefinitionStatus = struct('apiextensions/v1.CustomResourceDefinitionStatus', () => ({
  conditions: field(1, listOf(CustomResourceDefinitionCondition), { always: true, list: ['type'] }),
  acceptedNames: field(2, CustomResourceDefinitionNames, { always: true }),
  storedVersions: field(3, listOf(string), { always: true, defaulted: true, list: 'atomic' }),
  observedGeneration: field(4, int64),
}));

export type CustomResourceDefinitionStatus = TypeOf<typeof CustomResourceDefinitionStatus>;

export const CustomResourceDefinitionCondition = struct('apiextensions/v1.CustomResourceDefinitionCondition', () => ({
  type: field(1, namedString('apiextensions/v1.CustomResourceDefinitionConditionType'), {
    required: true,
    always: true,
  }),
  status: field(2, namedString('apiextensions/v1.ConditionStatus'), { required: true, always: true }),
  lastTransitionTime: field(3, time),
  reason: field(4, string),
  message: field(5, string),
  observedGeneration: field(6, int64),
}));

export type CustomResourceDefinitionCondition = TypeOf<typeof CustomResourceDefinitionCondition>;
