import { BoundsError } from '../../meta/bounds-error.ts';
import type { Normalizer, Pass } from './pass.ts';
import { jsonTypeOf, TypeMismatch } from './type-mismatch.ts';

/** Far above practical needs. Maps of strings are exempt: they hold user data, whose size is limited elsewhere. */
export const maxElements = 10_000;

interface ElementRules {
  readonly normalize: Normalizer;
  /** Produces the value for a null element. */
  readonly zero: Normalizer;
  readonly goType: string;
}

/** Normalizes empty lists to null: in Kubernetes they do not survive storage and are equivalent to absent ones. */
export function listNormalizer({ normalize, zero, goType }: ElementRules): Normalizer {
  return (value, pass) => {
    if (!Array.isArray(value)) throw new TypeMismatch(jsonTypeOf(value), goType);
    const { length } = value;
    if (length === 0) return null;
    if (length > maxElements) refuseFrom(pass);
    const result = new Array<unknown>(length);
    for (let index = 0; index < length; index++) {
      const element: unknown = value[index];
      result[index] = element === null ? zero(element, pass) : normalize(element, pass);
    }
    return result;
  };
}

/** Sorts the keys, so that equal maps are encoded to equal bytes. Normalizes empty maps to null. */
export function mapNormalizer({ normalize, zero, goType }: ElementRules): Normalizer {
  return (value, pass) => {
    if (typeof value !== 'object' || Array.isArray(value)) throw new TypeMismatch(jsonTypeOf(value), goType);
    const source = value as Record<string, unknown>;
    const keys = Object.keys(source);
    if (keys.length === 0) return null;
    if (keys.length > maxElements) refuseFrom(pass);
    if (keys.length > 1) keys.sort();
    const result: Record<string, unknown> = {};
    for (const key of keys) {
      const element = source[key];
      setEntry(result, key, element === null ? zero(element, pass) : normalize(element, pass));
    }
    return result;
  };
}

/**
 * Throws if the object comes from a request. Stored objects, which are decoded without defaults, are exempt from the
 * limit.
 */
export function refuseFrom({ defaults }: Pass): void {
  if (defaults) throw new BoundsError(`a list or a map in the object has more than ${maxElements} elements`);
}

/** Optimized for labels, annotations and data: nearly always short and already sorted. */
export function stringMapNormalizer(goType: string): Normalizer {
  return (value) => {
    if (typeof value !== 'object' || Array.isArray(value)) throw new TypeMismatch(jsonTypeOf(value), goType);
    const source = value as Record<string, unknown>;
    const result: Record<string, unknown> = {};
    let previous = '';
    let empty = true;
    for (const key in source) {
      if (key < previous) return sortedStringMap(source);
      setEntry(result, key, stringElement(source[key]));
      previous = key;
      empty = false;
    }
    return empty ? null : result;
  };
}

function sortedStringMap(source: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(source).sort()) setEntry(result, key, stringElement(source[key]));
  return result;
}

function stringElement(element: unknown): string {
  if (typeof element === 'string') return element;
  if (element === null) return '';
  throw new TypeMismatch(jsonTypeOf(element), 'string');
}

/** A plain assignment to `__proto__` would replace the prototype instead of adding an entry. */
export function setEntry(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}
