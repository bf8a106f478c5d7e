import { encodeJson } from '../../codec/json/index.ts';
import { fieldErrorText } from '../../meta/field-error.ts';
import { goType } from '../../meta/go-value.ts';
import { joinedErrors } from '../../meta/joined-errors.ts';
import type { ObjectMeta, ResourceObject } from '../../meta/object.ts';
import { validateAnnotations, validateLabels } from '../../meta/validate-labels.ts';
import { isObject, jsonTypeOf } from '../../schema/normalize/type-mismatch.ts';

/** The maximum length of an object without a kind in an error message. */
const maxShown = 1024;

/** A converted object that is not acceptable. */
export class ConvertedObjectError extends Error {
  override readonly name = 'ConvertedObjectError';
  /** The kind of error: not an object, wrong kind or version, changed name, namespace or uid, or other metadata. */
  readonly aspect: 'object' | 'type' | 'identity' | 'metadata';

  constructor(aspect: ConvertedObjectError['aspect'], message: string) {
    super(message);
    this.aspect = aspect;
  }
}

/**
 * Checks an object that a webhook has converted, and restores its metadata: the webhook may change labels and
 * annotations, and nothing else. Throws a ConvertedObjectError.
 */
export function restoreObject(original: ResourceObject, value: unknown, desiredApiVersion: string): ResourceObject {
  const converted = decodedObject(value);
  checkType(original, converted, desiredApiVersion);
  checkIdentity(original, converted);
  converted.metadata = restoredMetadata(original.metadata, converted.metadata);
  return converted as ResourceObject;
}

type Fields = Record<string, unknown>;

function decodedObject(value: unknown): Fields {
  // In Go, null yields no text to parse.
  if (value === null) throw new ConvertedObjectError('object', 'unexpected end of JSON input');
  if (!isObject(value)) {
    const problem = `json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type map[string]interface {}`;
    throw new ConvertedObjectError('object', problem);
  }
  if (textOf(value.kind) === '') {
    throw new ConvertedObjectError('object', `Object 'Kind' is missing in '${encodeJson(value).slice(0, maxShown)}'`);
  }
  return value;
}

function checkType(original: ResourceObject, converted: Fields, desiredApiVersion: string): void {
  const checks = [
    { name: 'groupVersion', expected: desiredApiVersion, received: textOf(converted.apiVersion) },
    { name: 'kind', expected: textOf(original.kind), received: textOf(converted.kind) },
  ];
  for (const { name, expected, received } of checks) {
    if (expected === received) continue;
    throw new ConvertedObjectError('type', `invalid ${name} (expected ${expected}, received ${received})`);
  }
}

function checkIdentity({ metadata }: ResourceObject, converted: Fields): void {
  const received = isObject(converted.metadata) ? converted.metadata : {};
  const names = { name: 'name', namespace: 'namespace', uid: 'UID' };
  for (const [field, name] of Object.entries(names)) {
    const before = textOf(metadata[field]);
    const after = textOf(received[field]);
    if (before === after) continue;
    throw new ConvertedObjectError('identity', `must have the same ${name}: ${before} != ${after}`);
  }
}

function restoredMetadata(original: ObjectMeta, converted: unknown): ObjectMeta {
  if (converted === undefined) throw new ConvertedObjectError('metadata', 'missing metadata in converted object');
  if (!isObject(converted)) {
    throw new ConvertedObjectError('metadata', `invalid metadata of type ${goType(converted)} in converted object`);
  }
  const metadata = { ...original };
  for (const field of ['labels', 'annotations'] as const) {
    const texts = textsOf(converted[field] ?? undefined, field);
    if (texts === undefined) {
      delete metadata[field];
      continue;
    }
    if (!areEqual(original[field] ?? {}, texts)) validate(texts, field);
    metadata[field] = texts;
  }
  return metadata;
}

function textsOf(value: unknown, field: string): Record<string, string> | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value)) {
    const problem = `invalid metadata.${field} of type ${goType(value)} in converted object`;
    throw new ConvertedObjectError('metadata', problem);
  }
  for (const [key, text] of Object.entries(value)) {
    if (typeof text === 'string') continue;
    const problem = `metadata.${field}[${key}] must be a string, but is ${goType(text)} in converted object`;
    throw new ConvertedObjectError('metadata', problem);
  }
  return value as Record<string, string>;
}

/** Labels and annotations that were accepted before are not validated again. */
function areEqual(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(after);
  return keys.length === Object.keys(before).length && keys.every((key) => before[key] === after[key]);
}

function validate(texts: Readonly<Record<string, string>>, field: 'labels' | 'annotations'): void {
  const errors =
    field === 'labels' ? validateLabels(texts, 'metadata.labels') : validateAnnotations(texts, 'metadata.annotation');
  if (errors.length > 0) throw new ConvertedObjectError('metadata', joinedErrors(errors.map(fieldErrorText)));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
