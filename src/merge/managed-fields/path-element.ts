import { goQuote } from '../../meta/go-quote.ts';
import { goPrint } from '../go-value.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import { goJson } from './go-json.ts';

/**
 * One step of a field path, in the spelling of FieldsV1: `f:<name>` is a field or the key of a map, `k:{"name":"x"}` the
 * element of a list with these keys, `v:"x"` the element of a set, `i:0` a position. Equal elements have equal texts, so
 * that sets of paths can be compared as text.
 */
export type PathElement = string;

/** In place of an element: the node itself is in the set. */
export const self = '.';

const fieldElements = new Map<string, PathElement>();
const parsedElements = new Map<PathElement, unknown>();
/** Names of labels, containers and the like come again and again; what clients make up must not fill the memory. */
const maxRemembered = 4096;

export function fieldElement(name: string): PathElement {
  let element = fieldElements.get(name);
  if (element === undefined) {
    element = `f:${name}`;
    remember(fieldElements, name, element);
  }
  return element;
}

export function remember<Key, Value>(known: Map<Key, Value>, key: Key, value: Value): void {
  if (known.size >= maxRemembered) known.clear();
  known.set(key, value);
}

export function valueElement(value: unknown): PathElement {
  return `v:${goJson(value)}`;
}

/** `fields` in the order of their names. */
export function keyElement(fields: readonly (readonly [string, unknown])[]): PathElement {
  let text = 'k:{';
  for (const [name, value] of fields) text += `${text.length > 3 ? ',' : ''}"${name}":${goJson(value)}`;
  return `${text}}`;
}

/** The value behind `k:`, `v:` and `i:`. Throws SyntaxError. */
function elementValue(element: PathElement): unknown {
  let value = parsedElements.get(element);
  if (value === undefined) {
    value = JSON.parse(element.slice(2)) as unknown;
    remember(parsedElements, element, value);
  }
  return value;
}

/** The one spelling of an element that a client wrote. Undefined: it is none. */
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
  return Object.entries(key).sort(([left], [right]) => (left < right ? -1 : 1));
}

/** The order in which a set is written: the node itself, fields, keys, values, positions, each by what it holds. */
export function compareElements(left: PathElement, right: PathElement): number {
  if (left === right) return 0;
  const leftRank = rank(left);
  const rightRank = rank(right);
  if (leftRank !== rightRank) return leftRank - rightRank;
  if (leftRank <= 1) return left < right ? -1 : 1;
  if (leftRank === 2) return compareKeys(keyFields(left), keyFields(right));
  return compareValues(elementValue(left), elementValue(right));
}

/** What an element is compared by, for those who compare it many times. */
export interface SortKey {
  readonly element: PathElement;
  readonly rank: number;
  readonly fields: KeyFields | undefined;
  readonly value: unknown;
}

export function sortKey(element: PathElement): SortKey {
  const own = rank(element);
  // More elements than are remembered would only push each other out.
  const value = own < 2 ? undefined : (JSON.parse(element.slice(2)) as unknown);
  return { element, rank: own, fields: own === 2 ? sortedFields(value as JsonObject) : undefined, value };
}

/** The same order as that of `compareElements`. */
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
    fields = sortedFields(elementValue(element) as JsonObject);
    remember(sortedKeys, element, fields);
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

/** Numbers before texts, then booleans, then what cannot be in a set. */
function compareValues(left: unknown, right: unknown): number {
  const order = valueRank(left) - valueRank(right);
  if (order !== 0) return order;
  if (typeof left === 'object') return compareTexts(JSON.stringify(left), JSON.stringify(right));
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

/** As messages show it: `.spec`, `[name="x",port=80]`, `[="x"]`, `[0]`. */
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
