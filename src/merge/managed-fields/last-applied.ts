import { isJsonObject, type JsonObject } from '../../meta/json-object.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { compare } from './compare.ts';
import type { FieldSet } from './field-set.ts';
import { goJson, parseJson } from './go-json.ts';
import { ownedFields } from './owned-fields.ts';
import type { StructShape } from './shape.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
/** Limit on the total size of all annotations of an object. */
const maxAnnotationBytes = 256 * 1024;

export function hasLastApplied({ metadata }: ResourceObject): boolean {
  return (metadata.annotations?.[annotation] ?? '') !== '';
}

/**
 * Returns the fields that client-side apply set and that have not changed since. Returns undefined when the object has
 * no last-applied annotation, or one in another version.
 */
export function allowedByLastApplied(
  live: ResourceObject,
  { shape, apiVersion }: { shape: StructShape; apiVersion: string },
): FieldSet | undefined {
  const lastApplied = parse(live.metadata.annotations?.[annotation] ?? '');
  if (lastApplied === undefined || lastApplied.apiVersion !== apiVersion) return undefined;
  const { added, modified, removed } = compare(shape, lastApplied, live);
  return ownedFields(shape, lastApplied).difference(modified).difference(added).difference(removed);
}

function parse(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Records the applied configuration in the annotation that client-side apply reads. Returns the object itself when the
 * annotation is already up to date.
 */
export function withLastApplied(object: ResourceObject, applied: ResourceObject): ResourceObject {
  const { [annotation]: old, ...others } = object.metadata.annotations ?? {};
  const text = `${goJson(withoutAnnotation(applied))}\n`;
  if (text === old) return object;
  const annotations = { ...others, [annotation]: text };
  const isTooLarge = byteLength(annotations) > maxAnnotationBytes;
  return { ...object, metadata: { ...object.metadata, annotations: isTooLarge ? others : annotations } };
}

function byteLength(annotations: Readonly<Record<string, string>>): number {
  let length = 0;
  for (const [key, value] of Object.entries(annotations)) length += Buffer.byteLength(key) + Buffer.byteLength(value);
  return length;
}

function withoutAnnotation(applied: ResourceObject): JsonObject {
  if (applied.metadata?.annotations?.[annotation] === undefined) return applied;
  const { [annotation]: _own, ...annotations } = applied.metadata.annotations;
  return { ...applied, metadata: { ...applied.metadata, annotations } };
}
