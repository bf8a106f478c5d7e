import { duplicateValue, type FieldError, invalidValue } from '../../meta/field-error.ts';
import type { Schema } from '../model.ts';
import { isObject } from '../normalize/type-mismatch.ts';
import { keyOf, valueText } from './correlation.ts';
import { NodeSearch } from './node-search.ts';

const keyedLists = new NodeSearch((schema) => ['set', 'map'].includes(schema['x-kubernetes-list-type'] ?? ''));

/** Finds equal items in sets, and items with equal keys in lists of maps. */
export function listTypeErrors(schema: Schema, value: unknown): FieldError[] {
  const errors: FieldError[] = [];
  keyedLists.visit(schema, value, ({ structural }, inner, path) => {
    const list = structural?.list;
    if (list === undefined || list === 'atomic' || !Array.isArray(inner)) return;
    errors.push(...(list === 'set' ? setErrors(inner, path) : mapErrors(inner, { keys: list, path })));
  });
  return errors;
}

function setErrors(items: readonly unknown[], path: () => string): FieldError[] {
  // Most sets have only strings.
  const texts = items.every((item) => typeof item === 'string') ? items : items.map(valueText);
  return repeated(texts).map((index) => duplicateValue(`${path()}[${index}]`, items[index]));
}

function mapErrors(
  items: readonly unknown[],
  { keys, path }: { readonly keys: readonly string[]; readonly path: () => string },
): FieldError[] {
  const wrong = items.flatMap((item, index) =>
    item === null || isObject(item)
      ? []
      : [invalidValue(`${path()}[${index}]`, item, 'must be an object for an array of list-type map')],
  );
  if (wrong.length > 0) return wrong;
  const texts = items.map((item) => (isObject(item) ? keyOf(item, keys) : 'null'));
  return repeated(texts).map((index) => duplicateValue(`${path()}[${index}]`, keysOf(items[index], keys)));
}

function keysOf(item: unknown, keys: readonly string[]): unknown {
  if (!isObject(item)) return item;
  const present = keys.filter((key) => Object.hasOwn(item, key)).sort();
  return Object.fromEntries(present.map((key) => [key, item[key]]));
}

/** The indexes of texts that occur a second time. Further repetitions are not reported. */
function repeated(texts: readonly string[]): number[] {
  const counts = new Map<string, number>();
  const found: number[] = [];
  for (const [index, text] of texts.entries()) {
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count === 2) found.push(index);
  }
  return found;
}
