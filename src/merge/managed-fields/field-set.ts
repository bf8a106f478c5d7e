import { isJsonObject } from '../../meta/json-object.ts';
import {
  type FieldTree,
  hasPath,
  intersect,
  isLeaf,
  leaf,
  type Membership,
  makeNode,
  sameTree,
  subtract,
  subtractRecursively,
  union,
  visitPaths,
} from './field-tree.ts';
import { goJson } from './go-json.ts';
import { canonicalElement, type PathElement, printElement, self } from './path-element.ts';

/** The text is not a valid field set. */
export class MalformedFieldsError extends Error {
  override readonly name = 'MalformedFieldsError';
}

/**
 * An immutable set of field paths. It is stored in its serialized form (see `FieldTree`), so that reading and writing
 * it costs nothing. Operations that change nothing return the set itself.
 */
export class FieldSet {
  static readonly empty = new FieldSet(undefined);

  readonly #tree: FieldTree | undefined;

  private constructor(tree: FieldTree | undefined) {
    this.#tree = tree;
  }

  /** `tree` must be in canonical form: built by this module or written by this server. */
  static of(tree: FieldTree | undefined): FieldSet {
    return tree === undefined || isLeaf(tree) ? FieldSet.empty : new FieldSet(tree);
  }

  static ofPaths(...paths: readonly (readonly PathElement[])[]): FieldSet {
    return paths.reduce<FieldSet>((set, path) => set.union(new FieldSet(singlePath(path))), FieldSet.empty);
  }

  /** Parses a set from a client, with elements in any order and spelling. Throws `MalformedFieldsError`. */
  static parse(fieldsV1: unknown): FieldSet {
    return fieldsV1 === undefined || fieldsV1 === null ? FieldSet.empty : FieldSet.of(readRoot(fieldsV1));
  }

  get isEmpty(): boolean {
    return this.#tree === undefined;
  }

  /** Undefined when the set is empty. */
  get tree(): FieldTree | undefined {
    return this.#tree;
  }

  has(path: readonly PathElement[]): boolean {
    return hasPath(this.#tree, path);
  }

  union(other: FieldSet): FieldSet {
    return this.#with(union(this.#tree, other.#tree));
  }

  /** Removes the paths of the other set, but keeps paths below them. */
  difference(other: FieldSet): FieldSet {
    return this.#with(subtract(this.#tree, other.#tree));
  }

  /** Removes the paths of the other set and all paths below them. */
  recursiveDifference(other: FieldSet): FieldSet {
    return this.#with(subtractRecursively(this.#tree, other.#tree));
  }

  intersection(other: FieldSet): FieldSet {
    return this.#with(intersect(this.#tree, other.#tree));
  }

  equals(other: FieldSet): boolean {
    return sameTree(this.#tree, other.#tree);
  }

  /** Returns all paths in serialization order. */
  paths(): PathElement[][] {
    const paths: PathElement[][] = [];
    visitPaths(this.#tree, (path) => {
      paths.push([...path]);
    });
    return paths;
  }

  /** Returns FieldsV1, ready to be serialized. Callers must not modify it, because it shares the data of the set. */
  toJSON(): FieldTree {
    return this.#tree ?? leaf;
  }

  #with(tree: FieldTree | undefined): FieldSet {
    return tree === this.#tree ? this : FieldSet.of(tree);
  }
}

/** Formats a path as error messages show it: `.spec.containers[name="x"].image`. */
export function printPath(path: readonly PathElement[]): string {
  return path.map(printElement).join('');
}

function singlePath(path: readonly PathElement[]): FieldTree {
  return path.reduceRight<FieldTree>((child, element) => ({ [element]: child }), leaf);
}

function readRoot(value: unknown): FieldTree | undefined {
  const { elements, nodes } = readMembers(value);
  return makeNode(elements, nodes, 'children only');
}

function readNode(value: unknown): FieldTree | undefined {
  const { elements, nodes, membership } = readMembers(value);
  return makeNode(elements, nodes, membership);
}

interface Members {
  readonly elements: PathElement[];
  readonly nodes: FieldTree[];
  readonly membership: Membership;
}

function readMembers(value: unknown): Members {
  if (!isJsonObject(value)) throw new MalformedFieldsError(`expected an object, got ${goJson(value)}`);
  const children = new Map<PathElement, FieldTree>();
  let isListed = false;
  let isEmpty = true;
  for (const text of Object.keys(value)) {
    isEmpty = false;
    if (text === self) {
      isListed = true;
      continue;
    }
    const element = canonicalElement(text);
    if (element === undefined) throw new MalformedFieldsError(`no path element: ${JSON.stringify(text)}`);
    const child = readNode(value[text]);
    if (child === undefined) continue;
    children.set(element, union(children.get(element), child)!);
  }
  const membership = isListed || isEmpty ? 'member' : 'children only';
  return { elements: [...children.keys()], nodes: [...children.values()], membership };
}
