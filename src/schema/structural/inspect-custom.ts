import { DecodeError } from '../../meta/decode-error.ts';
import { fieldErrorText, invalidValue } from '../../meta/field-error.ts';
import type { JsonSource } from '../../meta/json-source.ts';
import type { Schema, StructSchema } from '../model.ts';
import type { Findings } from '../normalize/findings.ts';
import { isObject, jsonTypeOf, TypeMismatch } from '../normalize/type-mismatch.ts';

interface InspectOptions {
  readonly findings: Findings;
  /** Whether to check types. If false, only unknown fields are searched. */
  readonly types: boolean;
  /** Inspects a value of a built-in type. Throws when it has a wrong type. */
  readonly inspectBuiltIn: (schema: Schema, value: unknown, path: string) => void;
}

/**
 * The slow walk over a custom object. Reports in this order, as Kubernetes does: duplicate fields, unknown fields of
 * the metadata, other unknown fields sorted by path, unknown fields in the metadata of embedded resources.
 */
export function inspectCustom(schema: StructSchema, value: unknown, options: InspectOptions): void {
  if (!isObject(value)) throw new TypeMismatch(jsonTypeOf(value), 'map[string]interface {}');
  const { findings, inspectBuiltIn, types } = options;
  const { source } = findings;
  if (source !== undefined && source.duplicateKeys.size > 0) reportDuplicates(value, '', { source, findings });
  const { metadata } = value;
  const metadataField = schema.fields.find(({ name }) => name === 'metadata');
  if (metadataField !== undefined && metadata !== undefined) inspectBuiltIn(metadataField.schema, metadata, 'metadata');
  const inspection = new CustomInspection();
  inspection.visitObject(schema, value, '');
  for (const { path, object, key } of inspection.unknown.sort((left, right) => (left.path < right.path ? -1 : 1))) {
    findings.unknown(path, object, key);
  }
  for (const embedded of inspection.embedded) inspectEmbedded(embedded, { inspectBuiltIn, types });
}

interface DuplicateOptions {
  readonly source: JsonSource;
  readonly findings: Findings;
}

/** Also reports duplicates inside values that the schema does not describe. */
function reportDuplicates(value: unknown, path: string, options: DuplicateOptions): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) reportDuplicates(item, `${path}[${index}]`, options);
  } else if (isObject(value)) {
    const duplicates = options.source.duplicateKeys.get(value);
    for (const [key, inner] of Object.entries(value)) {
      const at = childPath(path, key);
      reportDuplicates(inner, at, options);
      if (duplicates?.has(key)) options.findings.duplicate(at);
    }
  }
}

interface Embedded {
  readonly schema: StructSchema;
  readonly value: Readonly<Record<string, unknown>>;
  readonly path: string;
}

function inspectEmbedded(
  { schema, value, path }: Embedded,
  { inspectBuiltIn, types }: Pick<InspectOptions, 'inspectBuiltIn' | 'types'>,
): void {
  for (const { name, schema: own } of schema.fields) {
    const inner = value[name];
    if (own.structural !== undefined || inner === undefined || inner === null) continue;
    const at = childPath(path, name);
    if (types && name !== 'metadata' && typeof inner !== 'string') {
      throw new DecodeError(fieldErrorText(invalidValue(at, inner, 'must be a string')));
    }
    try {
      inspectBuiltIn(own, inner, at);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      throw new DecodeError(fieldErrorText(invalidValue(at, inner, error.message)), { cause: error });
    }
  }
}

const childPath = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

class CustomInspection {
  readonly unknown: { readonly path: string; readonly object: object; readonly key: string }[] = [];
  readonly embedded: Embedded[] = [];

  visitObject(schema: Schema, value: Readonly<Record<string, unknown>>, path: string): void {
    const { open = false, embedded = false } = schema.structural ?? {};
    if (embedded && schema.type === 'struct' && path !== '') this.embedded.push({ schema, value, path });
    const fields = schema.type === 'struct' ? schema.fields : [];
    const byName = new Map(fields.map((field) => [field.name, field.schema]));
    for (const [key, inner] of Object.entries(value)) {
      const own = byName.get(key) ?? (schema.type === 'map' ? schema.values : undefined);
      const at = childPath(path, key);
      if (own?.structural !== undefined) this.#visit(own, inner, at);
      else if (own === undefined && !open && !(path === '' && isTypeMeta(key))) {
        this.unknown.push({ path: at, object: value, key });
      }
    }
  }

  #visit(schema: Schema, value: unknown, path: string): void {
    if (isObject(value)) this.visitObject(schema, value, path);
    else if (Array.isArray(value) && (schema.type === 'list' || schema.structural?.open !== true)) {
      // Items that the schema does not describe have no fields, like a scalar.
      const items = schema.type === 'list' ? schema.items : schema;
      for (const [index, item] of value.entries()) this.#visit(items, item, `${path}[${index}]`);
    }
  }
}

const isTypeMeta = (key: string): boolean => key === 'apiVersion' || key === 'kind';
