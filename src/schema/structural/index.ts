/**
 * Custom resources in the schema model. `customSchema` converts the schema of a definition; the passes over built-in
 * types (`../normalize/`, `../../merge/managed-fields/`) then also work for custom objects. Their values are validated
 * here.
 */
export { type CustomKind, customSchema } from './custom-schema.ts';
export { sortedValue } from './sorted-value.ts';
export { type ValidateCustomOptions, validateCustomObject } from './validate-custom-object.ts';
export { type ValidateValueOptions, validateCustomValue } from './validate-custom-value.ts';
