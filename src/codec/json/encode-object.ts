import type { ObjectMeta } from '../../meta/object.ts';
import { encodeJson } from './encode-json.ts';

const managedFields = 'managedFields';
const fieldsV1 = 'fieldsV1';

/** The encoded field sets. They are long and contain many escapes, and many objects share the same set. */
const fieldSetTexts = new WeakMap<object, string>();

/**
 * Like `encodeJson`, for an object of the API. The field sets in `metadata.managedFields` must never be modified: each
 * of them is encoded once.
 */
export function encodeObject(object: Readonly<Record<string, unknown>>): string {
  let text = '{';
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (value === undefined) continue;
    text += `${text.length === 1 ? '' : ','}${encodeText(name)}:${encodeMember(name, value)}`;
  }
  return `${text}}`;
}

/** Encodes the value of a member of an object of the API. */
export function encodeMember(name: string, value: unknown): string {
  if (typeof value === 'string') return encodeText(value);
  return name === 'metadata' && isObject(value) ? encodeMetadata(value as ObjectMeta) : encodeJson(value);
}

/** Matches texts without escapes. */
const plain = /^[\w ./:-]*$/;

/** Most names and short values need no encoder. */
function encodeText(text: string): string {
  return text.length < 64 && plain.test(text) ? `"${text}"` : encodeJson(text);
}

function encodeMetadata(metadata: ObjectMeta): string {
  const entries = metadata.managedFields;
  if (!Array.isArray(entries) || !entries.every(isObject) || !endsWithEntries(metadata)) return encodeJson(metadata);
  // Restored below. A copy would cost more than encoding does.
  metadata.managedFields = undefined;
  try {
    const rest = encodeJson(metadata).slice(0, -1);
    return `${rest}${rest.length === 1 ? '' : ','}"${managedFields}":[${entries.map(encodeEntry).join(',')}]}`;
  } finally {
    metadata.managedFields = entries;
  }
}

/** Whether the entries come last, as in all objects that a server has written. */
function endsWithEntries(metadata: ObjectMeta): boolean {
  let last = '';
  for (const name in metadata) if (metadata[name] !== undefined) last = name;
  return last === managedFields;
}

function encodeEntry(entry: object): string {
  let text = '{';
  for (const [name, value] of Object.entries(entry)) {
    if (value === undefined) continue;
    text += `${text.length === 1 ? '' : ','}${encodeText(name)}:${encodeOfEntry(name, value)}`;
  }
  return `${text}}`;
}

function encodeOfEntry(name: string, value: unknown): string {
  if (typeof value === 'string') return encodeText(value);
  return name === fieldsV1 && isObject(value) ? fieldSetText(value) : encodeJson(value);
}

/** Encodes a field set, which must never be modified. */
export function fieldSetText(set: object): string {
  let text = fieldSetTexts.get(set);
  if (text === undefined) {
    text = encodeJson(set);
    fieldSetTexts.set(set, text);
  }
  return text;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
