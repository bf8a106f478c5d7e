import type { ResourceObject } from '../../meta/object.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import { compare } from './compare.ts';
import type { FieldSet } from './field-set.ts';
import { goJson } from './go-json.ts';
import { ownedFields } from './owned-fields.ts';
import type { StructShape } from './shape.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
/** Of all annotations of an object. */
const maxAnnotationBytes = 256 * 1024;

export function hasLastApplied({ metadata }: ResourceObject): boolean {
  return (metadata.annotations?.[annotation] ?? '') !== '';
}

/**
 * What a client has set by applying on its own side, and nobody has changed since. Undefined when the object does not say,
 * or in another version.
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
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Tells tools that apply on the client's side what was applied here. The object itself when it says so already. */
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
