import { goQuote } from '../../meta/go-quote.ts';
import { unclassified } from '../../meta/status-error.ts';
import type { Schema } from '../../schema/model.ts';
import { fieldsByName } from '../../schema/normalize/struct-fields.ts';

/** How a strategic merge patch handles one member of an object. */
export interface PatchMetadata {
  /** The schema of the value, or of the elements of a list. */
  readonly schema: Schema;
  /** `retainKeys` is not a separate strategy: the directive works wherever a patch contains it. */
  readonly strategy: 'merge' | 'replace' | undefined;
  /** Undefined for lists of plain values and for lists that are replaced as a whole. */
  readonly mergeKey: string | undefined;
}

/**
 * Returns the patch metadata of a member. Called only where a patch meets an existing value, so an unknown member means
 * that the type defines no rules for it: Kubernetes cannot merge inside free-form data.
 *
 * @throws StatusError 400: this is a client error, although Kubernetes answers 500
 */
export function patchMetadata(schema: Schema, member: string): PatchMetadata {
  if (schema.type === 'map') {
    throw unclassified('merging an object in json but data type is not struct, instead is: map');
  }
  const field = schema.type === 'struct' ? fieldsByName(schema).get(member) : undefined;
  if (field === undefined) {
    throw unclassified(`unable to find api field in struct ${typeName(schema)} for the json field ${goQuote(member)}`);
  }
  const { strategies = [], mergeKey } = field.patch ?? {};
  return {
    schema: field.schema.type === 'list' ? field.schema.items : field.schema,
    strategy: strategies.find((strategy) => strategy !== 'retainKeys'),
    mergeKey,
  };
}

const arbitraryTypes: Readonly<Record<string, string>> = {
  rawExtension: 'RawExtension',
  json: 'JSON',
  fieldsV1: 'FieldsV1',
};

function typeName(schema: Schema): string {
  if (schema.type === 'struct') return schema.name.slice(schema.name.lastIndexOf('.') + 1);
  return (schema.type === 'scalar' ? arbitraryTypes[schema.kind] : undefined) ?? schema.type;
}
