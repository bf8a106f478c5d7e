import { redacted } from './redacted.ts';

export type Fields = Record<string, unknown>;
/** The secrets that were taken out, for those who have to look for them elsewhere. Undefined when nobody has to. */
export type Found = Set<string> | undefined;

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The keys of a map stay, because they are names; its values go. Null stays: in a patch it means a deletion. */
export function hide(value: unknown, found: Found): unknown {
  if (value === null || value === undefined) return value;
  if (found !== undefined) note(value, found);
  if (!isRecord(value)) return redacted;
  return mapFields(value, (_name, inner) => (inner === null ? null : redacted));
}

/** All fields stay under their names, whatever these are. */
export function mapFields(fields: Fields, change: (name: string, value: unknown) => unknown): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(name, value)]));
}

/** Remembers every text in a value, as it is and as what it may be the base64 of. */
function note(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    found.add(value);
    found.add(Buffer.from(value, 'base64').toString());
    found.add(Buffer.from(value).toString('base64'));
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) note(inner, found);
  } else {
    found.add(String(value));
  }
}
