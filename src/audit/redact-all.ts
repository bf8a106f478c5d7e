import { redacted } from './redacted.ts';

export type Fields = Record<string, unknown>;
/** Collects the removed secrets, to search for them elsewhere. Undefined when no search follows. */
export type Found = Set<string> | undefined;

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Keys of maps stay, because they are names; values are removed. Null stays, because in a patch it means a deletion.
 */
export function redactAll(value: unknown, found: Found): unknown {
  if (value === null || value === undefined) return value;
  if (found !== undefined) collectStrings(value, found);
  if (!isRecord(value)) return redacted;
  return mapFields(value, (_name, inner) => (inner === null ? null : redacted));
}

/** Keeps all fields under their names, including `__proto__`. */
export function mapFields(fields: Fields, change: (name: string, value: unknown) => unknown): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(name, value)]));
}

/** Adds every scalar in a value: as text, decoded from base64, and encoded as base64. */
function collectStrings(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    found.add(value);
    found.add(Buffer.from(value, 'base64').toString());
    found.add(Buffer.from(value).toString('base64'));
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) collectStrings(inner, found);
  } else {
    found.add(String(value));
  }
}
