import { BoundsError } from '../../meta/bounds-error.ts';
import type { Normalizer, Pass } from './pass.ts';
import { jsonTypeOf, TypeMismatch } from './type-mismatch.ts';

/** Many times what anybody needs. Maps of strings hold what people keep in them and are bounded elsewhere. */
const maxElements = 10_000;

interface ElementRules {
  readonly normalize: Normalizer;
  /** What a null element stands for. */
  readonly zero: Normalizer;
  readonly goType: string;
}

/** Empty lists become null: in Kubernetes they do not survive storage, and are no different from absent ones. */
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

/** Keys are sorted, so that equal maps have equal bytes; empty maps become null. */
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

/** What is stored already is read, however large it is. */
function refuseFrom({ defaults }: Pass): void {
  if (defaults) throw new BoundsError(`a list or a map in the object has more than ${maxElements} elements`);
}

/** Labels, annotations, data: nearly always short, of strings, and already in order. */
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
