import { DecodeError } from '../../meta/decode-error.ts';
import { goPrint, goType } from '../../meta/go-value.ts';
import { isJsonObject } from '../../meta/json-object.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { elementOf } from './list-elements.ts';
import { fieldElement, type PathElement, printElement } from './path-element.ts';
import { entryShape, type ListShape, type ScalarShape, type Shape, type StructShape } from './shape.ts';

interface Mistake {
  readonly path: string;
  readonly message: string;
}

const duplicate = 'duplicate entries for key';
const unknownField = 'field not declared in schema';

/** Finds what makes a configuration that a client sent impossible to merge. Undefined when it is valid. */
export function checkApplied(shape: StructShape, applied: ResourceObject): TypedPatchError | undefined {
  const lines = mistakesIn(shape, applied);
  if (lines.length === 0) return undefined;
  const prefix = `failed to create typed patch object (${describe(applied)}): `;
  return new TypedPatchError(prefix + joined(lines), prefix + joined(originalMistakesIn(shape, applied)));
}

/** A configuration that does not fit the schema of its kind. */
export class TypedPatchError extends DecodeError {
  /** A message that kube-apiserver gives for the same configuration. */
  readonly original: string;

  constructor(message: string, original: string) {
    super(message);
    this.original = original;
  }
}

/** The error when the result of an apply is not a valid object of the kind. */
export function conversionProblem(applied: ResourceObject, problem: string): string {
  const conversion = `unable to convert unstructured object to ${describeKind(applied)}: ${problem}`;
  return `failed to convert new object (${describe(applied)}) to proper version: ${conversion}`;
}

/** Why nothing can be merged into a live object that has a list item without its key. */
export function namelessItemProblem(shape: StructShape, live: ResourceObject): string {
  const mistakes = new TypeCheck().run(shape, live);
  const nameless = mistakes.filter(({ message }) => message.startsWith('element '));
  const lines = nameless.map(({ path, message }) => `${path}: ${message}`);
  return `failed to create typed live object (${describe(live)}): ${lines.join(', ')}`;
}

/**
 * Finds what makes an object impossible to merge: unknown fields, values of the wrong type, and list elements that
 * cannot be distinguished. Returns undefined when it is valid, and otherwise one message that lists all errors in
 * order. When there are both unknown fields and other errors, the message names only the first of the other errors.
 */
export function typeProblem(shape: StructShape, object: Readonly<Record<string, unknown>>): string | undefined {
  const lines = mistakesIn(shape, object);
  return lines.length === 0 ? undefined : joined(lines);
}

function joined(lines: readonly string[]): string {
  return lines.length === 1 ? lines[0]! : ['errors:', ...lines.map((line) => `  ${line}`)].join('\n');
}

function mistakesIn(shape: StructShape, object: Readonly<Record<string, unknown>>): string[] {
  const sorted = inOrder(new TypeCheck().run(shape, object));
  const others = sorted.filter(({ message }) => message !== unknownField);
  const isMixed = others.length > 0 && others.length < sorted.length;
  return (isMixed ? others.slice(0, 1) : sorted).map(lineOf);
}

/**
 * kube-apiserver visits the members of an object in random order and leaves the object at its first unknown field. Of
 * its answers, this is the one for members that are sorted.
 */
function originalMistakesIn(shape: StructShape, object: Readonly<Record<string, unknown>>): string[] {
  return inOrder(new TypeCheck({ leavesAtUnknownField: true }).run(shape, object)).map(lineOf);
}

const inOrder = (mistakes: readonly Mistake[]): Mistake[] =>
  mistakes.toSorted((left, right) => (left.path < right.path ? -1 : left.path === right.path ? 0 : 1));

const lineOf = ({ path, message }: Mistake): string => `${path}: ${message}`;

/** Returns whether `typeProblem` finds nothing in a value of this shape. */
export function isValid(shape: Shape, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return shape.type === 'scalar' ? isScalarValid(shape, value) : new TypeCheck().isValid(shape, value);
}

/** Returns whether the fields of an object can be told apart and have the types of the shape. Keys may be repeated. */
export function hasPaths(shape: StructShape, fields: Readonly<Record<string, unknown>>): boolean {
  return new TypeCheck().run(shape, fields).every(({ message }) => message.startsWith(duplicate));
}

function describe(object: ResourceObject): string {
  const { metadata } = object;
  return `${textOf(metadata?.namespace)}/${textOf(metadata?.name)}; ${describeKind(object)}`;
}

function describeKind({ apiVersion = '', kind = '' }: ResourceObject): string {
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

/** A name of another type counts as none. */
const textOf = (name: unknown): string => (typeof name === 'string' ? name : '');

/** Checks one object. */
class TypeCheck {
  readonly #leavesAtUnknownField: boolean;
  readonly #mistakes: Mistake[] = [];
  /** The path of the value that is being checked. It is formatted only when there is an error to report. */
  readonly #path: PathElement[] = [];

  /** With `leavesAtUnknownField`, members are visited in order, and those after an unknown field are not checked. */
  constructor({ leavesAtUnknownField = false } = {}) {
    this.#leavesAtUnknownField = leavesAtUnknownField;
  }

  run(shape: StructShape, object: Readonly<Record<string, unknown>>): readonly Mistake[] {
    this.#checkMembers(shape, object);
    return this.#mistakes;
  }

  isValid(shape: Shape, value: unknown): boolean {
    this.#checkValue(shape, value);
    return this.#mistakes.length === 0;
  }

  #checkValue(shape: Shape, value: unknown): void {
    if (value === null || value === undefined) return;
    switch (shape.type) {
      case 'any':
        return;
      case 'scalar':
        if (!isScalarValid(shape, value)) this.#report(expected(shape, value));
        return;
      case 'list':
        if (Array.isArray(value)) this.#checkItems(shape, value);
        else this.#report(`expected list, got &{${goPrint(value)}}`);
        return;
      default:
        if (isJsonObject(value)) this.#checkMembers(shape, value);
        else this.#report(`expected map, got &{${goPrint(value)}}`);
    }
  }

  #checkMembers(shape: Shape, object: Readonly<Record<string, unknown>>): void {
    const keys = Object.keys(object);
    if (this.#leavesAtUnknownField) keys.sort();
    for (const key of keys) {
      const field = shape.type === 'struct' ? shape.fields.get(key) : undefined;
      const inner = field === undefined ? entryShape(shape) : field.shape;
      this.#path.push(field === undefined ? fieldElement(key) : field.element);
      if (inner === undefined) this.#report(unknownField);
      else this.#checkValue(inner, object[key]);
      this.#path.pop();
      if (inner === undefined && this.#leavesAtUnknownField) return;
    }
  }

  #checkItems(shape: ListShape, list: readonly unknown[]): void {
    const seen = shape.atomic || list.length < 2 ? undefined : new Set<PathElement>();
    for (let index = 0; index < list.length; index++) {
      const item = list[index];
      const element = shape.atomic ? `i:${index}` : elementOf(shape, item);
      if (element === undefined) {
        // Stop at the first element without a name: errors in it and after it have no path.
        this.#report(`element ${index}: ${namelessReason(shape, item)}`);
        return;
      }
      if (seen?.has(element)) this.#report(`${duplicate} ${printElement(element)}`);
      seen?.add(element);
      this.#path.push(element);
      this.#checkValue(shape.items, item);
      this.#path.pop();
    }
  }

  #report(message: string): void {
    this.#mistakes.push({ path: this.#path.map(printElement).join(''), message });
  }
}

function isScalarValid({ kind }: ScalarShape, value: unknown): boolean {
  switch (kind) {
    case 'string':
    case 'bytes':
    case 'duration':
      return typeof value === 'string';
    case 'bool':
      return typeof value === 'boolean';
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'float64':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'json':
    case 'rawExtension':
    case 'fieldsV1':
      return true;
    default:
      return typeof value !== 'object';
  }
}

function expected({ kind }: ScalarShape, value: unknown): string {
  switch (kind) {
    case 'string':
    case 'bytes':
    case 'duration':
      return `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'bool':
      return `expected boolean, got &{${goPrint(value)}}`;
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'float64':
      return `expected numeric (int or float), got ${goType(value)}`;
    default:
      return `expected any scalar, got &{${goPrint(value)}}`;
  }
}

function namelessReason({ elements }: ListShape, item: unknown): string {
  if (typeof elements === 'string') {
    if (item === null) return "associative list without keys has an element that's an explicit null";
    return Array.isArray(item)
      ? 'not supported: associative list with lists as elements'
      : "associative list without keys has an element that's a map type";
  }
  if (item === null) return 'associative list with keys may not have a null element';
  if (!isJsonObject(item)) return 'associative list with keys may not have non-map elements';
  const names = elements.map(({ name }) => JSON.stringify(name)).join(' ');
  return `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`;
}

/** Formats a value as a Go literal. */
function goSyntax(value: unknown): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isJsonObject(value)) return value === null ? 'interface {}(nil)' : JSON.stringify(value, printBigint);
  const members = Object.entries(value)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${goSyntax(member)}`);
  return `map[string]interface {}{${members.join(', ')}}`;
}

function printBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
