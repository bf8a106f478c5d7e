import {
  bool,
  field,
  float64,
  int64,
  json,
  listOf,
  mapOf,
  namedString,
  string,
  struct,
} from '../../schema/builders.ts';
import type { TypeOf } from '../../schema/type-of.ts';

export const JSONSchemaProps = struct('apiextensions/v1.JSONSchemaProps', () => ({
  id: field(1, string),
  $schema: field(2, namedString('apiextensions/v1.JSONSchemaURL')),
  $ref: field(3, string, { pointer: true }),
  description: field(4, string),
  type: field(5, string),
  format: field(6, string),
  title: field(7, string),
  default: field(8, json, { pointer: true }),
  maximum: field(9, float64, { pointer: true }),
  exclusiveMaximum: field(10, bool),
  minimum: field(11, float64, { pointer: true }),
  exclusiveMinimum: field(12, bool),
  maxLength: field(13, int64, { pointer: true }),
  minLength: field(14, int64, { pointer: true }),
  pattern: field(15, string),
  maxItems: field(16, int64, { pointer: true }),
  minItems: field(17, int64, { pointer: true }),
  uniqueItems: field(18, bool),
  multipleOf: field(19, float64, { pointer: true }),
  enum: field(20, listOf(json), { list: 'atomic' }),
  maxProperties: field(21, int64, { pointer: true }),
  minProperties: field(22, int64, { pointer: true }),
  required: field(23, listOf(string), { list: 'atomic' }),
  get items() {
    return field(24, JSONSchemaPropsOrArray, { pointer: true });
  },
  get allOf() {
    return field(25, listOf(JSONSchemaProps), { list: 'atomic' });
  },
  get oneOf() {
    return field(26, listOf(JSONSchemaProps), { list: 'atomic' });
  },
  get anyOf() {
    return field(27, listOf(JSONSchemaProps), { list: 'atomic' });
  },
  get not() {
    return field(28, JSONSchemaProps, { pointer: true });
  },
  get properties() {
    return field(29, mapOf(JSONSchemaProps));
  },
  get additionalProperties() {
    return field(30, JSONSchemaPropsOrBool, { pointer: true });
  },
  get patternProperties() {
    return field(31, mapOf(JSONSchemaProps));
  },
  get dependencies() {
    return field(32, mapOf(JSONSchemaPropsOrStringArray));
  },
  get additionalItems() {
    return field(33, JSONSchemaPropsOrBool, { pointer: true });
  },
  get definitions() {
    return field(34, mapOf(JSONSchemaProps));
  },
  externalDocs: field(35, ExternalDocumentation, { pointer: true }),
  example: field(36, json, { pointer: true }),
  nullable: field(37, bool),
  'x-kubernetes-preserve-unknown-fields': field(38, bool, { pointer: true }),
  'x-kubernetes-embedded-resource': field(39, bool),
  'x-kubernetes-int-or-string': field(40, bool),
  'x-kubernetes-list-map-keys': field(41, listOf(string), { list: 'atomic' }),
  'x-kubernetes-list-type': field(42, string, { pointer: true }),
  'x-kubernetes-map-type': field(43, string, { pointer: true }),
  'x-kubernetes-validations': field(44, listOf(ValidationRule), {
    list: ['rule'],
    patch: { strategies: ['merge'], mergeKey: 'rule' },
  }),
}));

export const JSONSchemaPropsOrArray = struct(
  'apiextensions/v1.JSONSchemaPropsOrArray',
  () => ({
    get Schema() {
      return field(1, JSONSchemaProps, { pointer: true, always: true });
    },
    get JSONSchemas() {
      return field(2, listOf(JSONSchemaProps), { always: true });
    },
  }),
  { untagged: true },
);

export const JSONSchemaPropsOrBool = struct(
  'apiextensions/v1.JSONSchemaPropsOrBool',
  () => ({
    Allows: field(1, bool, { always: true }),
    get Schema() {
      return field(2, JSONSchemaProps, { pointer: true, always: true });
    },
  }),
  { untagged: true },
);

export const JSONSchemaPropsOrStringArray = struct(
  'apiextensions/v1.JSONSchemaPropsOrStringArray',
  () => ({
    get Schema() {
      return field(1, JSONSchemaProps, { pointer: true, always: true });
    },
    Property: field(2, listOf(string), { always: true }),
  }),
  { untagged: true },
);

export const ExternalDocumentation = struct('apiextensions/v1.ExternalDocumentation', () => ({
  description: field(1, string),
  url: field(2, string),
}));

export const ValidationRule = struct('apiextensions/v1.ValidationRule', () => ({
  rule: field(1, string, { required: true, always: true }),
  message: field(2, string),
  messageExpression: field(3, string),
  reason: field(4, namedString('apiextensions/v1.FieldValueErrorReason'), {
    pointer: true,
    enum: ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'],
  }),
  fieldPath: field(5, string),
  optionalOldSelf: field(6, bool, { pointer: true }),
}));

export type ValidationRule = TypeOf<typeof ValidationRule>;
