import { duplicateValue, type FieldError, invalidValue, requiredValue, tooMany } from '../../meta/field-error.ts';
import { isTurnOver, type Steps } from '../../meta/turns.ts';
import { findField } from '../../schema/structural/field-path.ts';
import type { JsonSchema } from '../../schema/structural/json-schema.ts';
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
} from './custom-resource-definition-types.ts';
import type { VersionFields } from './definition-parts.ts';
import { validateSchema } from './schema-validation.ts';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const selectableTypes = ['string', 'boolean', 'integer'];
const maxSelectableFields = 8;
const maxWarning = 256;

interface FieldsAt {
  readonly path: string;
  /** The field that holds the schema. */
  readonly schemaField: 'schema' | 'validation';
  readonly hasStatus: boolean;
  /** Whether the stored definition has the same schema. */
  readonly isUnchanged: boolean;
}

/** Validates the fields of one version, or those that all versions share. */
export function* validateVersionFields(
  fields: VersionFields,
  { path, schemaField, hasStatus, isUnchanged }: FieldsAt,
  errors: FieldError[],
): Steps<void> {
  const schema = fields.schema?.openAPIV3Schema;
  if (schema !== undefined)
    errors.push(
      ...(yield* validateSchema(schema, `${path}.${schemaField}.openAPIV3Schema`, { hasStatus, isUnchanged })),
    );
  if (isTurnOver()) yield;
  validateScale(fields.subresources?.scale, `${path}.subresources.scale`, errors);
  for (const [index, column] of (fields.additionalPrinterColumns ?? []).entries()) {
    validateColumn(column, `${path}.additionalPrinterColumns[${index}]`, errors);
  }
  const { selectableFields = [] } = fields;
  if (selectableFields.length === 0) return;
  const at = `${path}.selectableFields`;
  if (schema !== undefined) validateSelectableFields(selectableFields, { schema, path: at }, errors);
  else errors.push(invalidValue(at, '', 'may only be set when a schema is included'));
}

export function validateDeprecation(
  version: CustomResourceDefinitionVersion,
  path: string,
  errors: FieldError[],
): void {
  const { deprecated = false, deprecationWarning: warning } = version;
  if (warning === undefined) return;
  const at = `${path}.deprecationWarning`;
  if (!deprecated) {
    errors.push(invalidValue(at, warning, 'can only be set for deprecated versions'));
    return;
  }
  if (Buffer.byteLength(warning) > maxWarning) {
    errors.push(invalidValue(at, warning, `must be <= ${maxWarning} characters long`));
  }
  if (warning === '') errors.push(invalidValue(at, warning, 'must not be an empty string'));
  const hidden = /[^ \p{L}\p{M}\p{N}\p{P}\p{S}]/u.exec(warning);
  if (hidden === null) return;
  const index = Buffer.byteLength(warning.slice(0, hidden.index));
  const detail = `must only contain printable UTF-8 characters; non-printable character found at index ${index}`;
  errors.push(invalidValue(at, warning, detail));
}

function validateScale(scale: CustomResourceSubresources['scale'], path: string, errors: FieldError[]): void {
  if (scale === undefined) return;
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = '' } = scale;
  for (const [field, text, root] of [
    ['specReplicasPath', specReplicasPath, '.spec'],
    ['statusReplicasPath', statusReplicasPath, '.status'],
  ] as const) {
    const at = `${path}.${field}`;
    if (text === '') errors.push(requiredValue(at));
    else if (!text.startsWith('.')) errors.push(notSimplePath(text, at));
    else if (!text.startsWith(`${root}.`)) {
      errors.push(invalidValue(at, text, `should be a json path under ${root}`));
    }
  }
  const at = `${path}.labelSelectorPath`;
  if (labelSelectorPath === '') return;
  if (!labelSelectorPath.startsWith('.')) errors.push(notSimplePath(labelSelectorPath, at));
  else if (!/^\.(?:spec|status)\./.test(labelSelectorPath)) {
    errors.push(invalidValue(at, labelSelectorPath, 'should be a json path under either .spec or .status'));
  }
}

function notSimplePath(text: string, path: string): FieldError {
  return invalidValue(path, text, 'must be a simple json path starting with .');
}

function validateColumn(column: CustomResourceColumnDefinition, path: string, errors: FieldError[]): void {
  const { name = '', type = '', format = '', jsonPath = '' } = column;
  const oneOfTypes = `must be one of ${columnTypes.join(',')}`;
  if (name === '') errors.push(requiredValue(`${path}.name`));
  if (type === '') errors.push(requiredValue(`${path}.type`, oneOfTypes));
  else if (!columnTypes.includes(type)) errors.push(invalidValue(`${path}.type`, type, oneOfTypes));
  if (format !== '' && !columnFormats.includes(format)) {
    errors.push(invalidValue(`${path}.format`, format, `must be one of ${columnFormats.join(',')}`));
  }
  if (jsonPath === '') errors.push(requiredValue(`${path}.JSONPath`));
  else if (!jsonPath.startsWith('.')) errors.push(notSimplePath(jsonPath, `${path}.JSONPath`));
}

function validateSelectableFields(
  fields: NonNullable<VersionFields['selectableFields']>,
  { schema, path }: { readonly schema: JsonSchema; readonly path: string },
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  for (const [index, { jsonPath = '' }] of fields.entries()) {
    const at = `${path}[${index}].jsonPath`;
    if (jsonPath === '') {
      errors.push(requiredValue(at));
      continue;
    }
    const found = findField(jsonPath, schema, { indexes: false });
    if (typeof found === 'string') {
      errors.push(invalidValue(at, jsonPath, `is an invalid path: ${found}`));
      continue;
    }
    if (found.names[0] === 'metadata') errors.push(invalidValue(at, jsonPath, 'must not point to fields in metadata'));
    if (!selectableTypes.includes(found.schema?.type ?? '')) {
      const allowed = 'Enum string fields and strings with formats are allowed.';
      errors.push(invalidValue(at, jsonPath, `must point to a field of type string, boolean or integer. ${allowed}`));
    }
    const name = found.names.join('.');
    if (seen.has(name)) errors.push(duplicateValue(at, jsonPath));
    seen.add(name);
  }
  if (seen.size > maxSelectableFields) errors.push(tooMany(path, seen.size, maxSelectableFields));
}
