import { goQuote } from '../../meta/go-quote.ts';
import { goPrint } from '../../meta/go-value.ts';
import { isJsonObject, type JsonObject } from '../../meta/json-object.ts';
import { goJson, parseJson } from './go-json.ts';

/**
 * One step of a field path in FieldsV1 notation: `f:<name>` is a field or map key, `k:{"name":"x"}` the list element
 * with these keys, `v:"x"` the element of a set, and `i:0` a list index. Equal elements have equal strings, so that
 * sets of paths can be compared as text.
 */
export type PathElement = string;

/** Used instead of an element: the node itself is in the set. */
export const self = '.';

const fieldElements = new Map<string, PathElement>();
const parsedElements = new Map<PathElement, unknown>();
/** Cache limits. Names of labels, containers and so on recur often, but client-chosen names must not exhaust memory. */
const maxCached = 4096;
const maxCachedLength = 256;

export function fieldElement(name: string): PathElement {
  let element = fieldElements.get(name);
  if (element === undefined) {
    element = `f:${name}`;
    addToCache(fieldElements, name, element);
  }
  return element;
}

export function addToCache<Key, Value>(known: Map<Key, Value>, key: Key, value: Value): void {
  if (typeof key === 'string' && key.length > maxCachedLength) return;
  if (known.size >= maxCached) known.clear();
  known.set(key, value);
}

export function valueElement(value: unknown): PathElement {
  return `v:${goJson(value)}`;
}

/** `fields` must be sorted by name. */
export function keyElement(fields: readonly (readonly [string, unknown])[]): PathElement {
  let text = 'k:{';
  for (const [name, value] of fields) text += `${text.length > 3 ? ',' : ''}"${name}":${goJson(value)}`;
  return `${text}}`;
}

/** Parses the value after `k:`, `v:` or `i:`. Throws SyntaxError. */
function elementValue(element: PathElement): unknown {
  let value = parsedElements.get(element);
  if (value === undefined) {
    value = parseJson(element.slice(2));
    addToCache(parsedElements, element, value);
  }
  return value;
}

/** Returns the canonical spelling of an element from a client, or undefined when it is not a valid element. */
export function canonicalElement(element: string): PathElement | undefined {
  if (element.startsWith('f:')) return element;
  try {
    if (element.startsWith('v:')) return valueElement(elementValue(element));
    if (element.startsWith('i:')) return /^i:[+-]?\d+$/.test(element) ? `i:${Number(element.slice(2))}` : undefined;
    if (!element.startsWith('k:')) return undefined;
    const key = elementValue(element);
    return isJsonObject(key) ? keyElement(sortedFields(key)) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function sortedFields(key: JsonObject): [string, unknown][] {
  const fields = Object.entries(key);
  const isSorted = fields.every(([name], index) => index === 0 || fields[index - 1]![0] < name);
  return isSorted ? fields : fields.sort(([left], [right]) => (left < right ? -1 : 1));
}

/** Serialization order: the node itself, fields, keys, values, indexes; elements of one kind are ordered by value. */
export function compareElements(left: PathElement, right: PathElement): number {
  if (left === right) return 0;
  const leftRank = rank(left);
  const rightRank = rank(right);
  if (leftRank !== rightRank) return leftRank - rightRank;
  if (leftRank <= 1) return left < right ? -1 : 1;
  if (leftRank === 2) return compareKeys(keyFields(left), keyFields(right));
  return compareValues(elementValue(left), elementValue(right));
}

/** A parsed element, for callers that compare the same element many times. */
export interface SortKey {
  readonly element: PathElement;
  readonly rank: number;
  readonly fields: KeyFields | undefined;
  readonly value: unknown;
}

export function sortKey(element: PathElement): SortKey {
  const own = rank(element);
  // Parses without the cache: sorting more elements than it holds would only evict entries.
  if (own === 2) return { element, rank: own, fields: parsedFields(element), value: undefined };
  return { element, rank: own, fields: undefined, value: own < 2 ? undefined : parseJson(element.slice(2)) };
}

/** Matches elements with one or two keys, whose values are texts without escapes or small numbers. */
const simpleKeys = /^k:\{"([^"\\]*)":(?:"([^"\\]*)"|(\d{1,15}))(?:,"([^"\\]*)":(?:"([^"\\]*)"|(\d{1,15})))?\}$/;

/** Parses the fields after `k:`. Most elements do not need the JSON parser, which is several times slower. */
function parsedFields(element: PathElement): KeyFields {
  const match = simpleKeys.exec(element);
  if (match === null) return sortedFields(parseJson(element.slice(2)) as JsonObject);
  const [, name, text, number, otherName, otherText, otherNumber] = match;
  const field = [name!, text ?? Number(number)] as const;
  if (otherName === undefined) return [field];
  const other = [otherName, otherText ?? Number(otherNumber)] as const;
  return name! < otherName ? [field, other] : [other, field];
}

/** Defines the same order as `compareElements`. */
export function compareSortKeys(left: SortKey, right: SortKey): number {
  if (left.element === right.element) return 0;
  if (left.rank !== right.rank) return left.rank - right.rank;
  if (left.rank <= 1) return left.element < right.element ? -1 : 1;
  if (left.rank === 2) return compareKeys(left.fields!, right.fields!);
  return compareValues(left.value, right.value);
}

function rank(element: PathElement): number {
  switch (element.charCodeAt(0)) {
    case 0x2e:
      return 0;
    case 0x66:
      return 1;
    case 0x6b:
      return 2;
    case 0x76:
      return 3;
    default:
      return 4;
  }
}

type KeyFields = readonly (readonly [string, unknown])[];

const sortedKeys = new Map<PathElement, KeyFields>();

function keyFields(element: PathElement): KeyFields {
  let fields = sortedKeys.get(element);
  if (fields === undefined) {
    fields = parsedFields(element);
    addToCache(sortedKeys, element, fields);
  }
  return fields;
}

function compareKeys(left: KeyFields, right: KeyFields): number {
  for (let index = 0; index < left.length; index++) {
    const [name, value] = left[index]!;
    const other = right[index];
    if (other === undefined) return 1;
    if (name !== other[0]) return name < other[0] ? -1 : 1;
    const order = compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Numbers sort before strings, then booleans, then values that cannot be in a set. */
function compareValues(left: unknown, right: unknown): number {
  const order = valueRank(left) - valueRank(right);
  if (order !== 0) return order;
  if (typeof left === 'object') return compareTexts(goJson(left), goJson(right));
  return (left as string) < (right as string) ? -1 : left === right ? 0 : 1;
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left === right ? 0 : 1;
}

function valueRank(value: unknown): number {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 0;
    case 'string':
      return 1;
    case 'boolean':
      return 2;
    default:
      return 3;
  }
}

/** Formats an element as error messages show it: `.spec`, `[name="x",port=80]`, `[="x"]`, `[0]`. */
export function printElement(element: PathElement): string {
  if (element.startsWith('f:')) return `.${element.slice(2)}`;
  if (element.startsWith('i:')) return `[${element.slice(2)}]`;
  const value = elementValue(element);
  if (element.startsWith('v:')) return `[=${printValue(value)}]`;
  return `[${sortedFields(value as JsonObject)
    .map(([name, field]) => `${name}=${printValue(field)}`)
    .join(',')}]`;
}

function printValue(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'string' ? goQuote(value) : goPrint(value);
}
