import { BoundsError } from '../meta/bounds-error.ts';

/** How much a document may hold, whatever its size in bytes. */
export interface DocumentBounds {
  /** Members of objects and items of lists, all together. */
  readonly maxValues: number;
  /** Members of one object. */
  readonly maxKeys: number;
}

/**
 * For what clients send. An object that can be stored has a fraction of that: its size is bounded as well, and every field
 * stands in it twice, once with its value and once with its owner.
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
