import { BoundsError } from '../meta/bounds-error.ts';

/** Limits on the content of a document, independent of its size in bytes. */
export interface DocumentBounds {
  /** Total number of object members and list items. */
  readonly maxValues: number;
  /** Number of members in one object. */
  readonly maxKeys: number;
}

/**
 * Limits for documents from clients. Objects that can be stored stay far below them: their size is limited as well, and
 * every field takes space twice, once for its value and once in managedFields.
 */
export const requestBounds: DocumentBounds = { maxValues: 50_000, maxKeys: 20_000 };

export const noBounds: DocumentBounds = {
  maxValues: Number.POSITIVE_INFINITY,
  maxKeys: Number.POSITIVE_INFINITY,
};

export function tooManyValues({ maxValues }: DocumentBounds): BoundsError {
  return new BoundsError(`the document has more than ${maxValues} values`);
}

export function tooManyKeys({ maxKeys }: DocumentBounds): BoundsError {
  return new BoundsError(`an object in the document has more than ${maxKeys} keys`);
}
