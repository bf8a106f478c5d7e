import { isJsonObject, type JsonObject } from '../../meta/json-object.ts';
import { isMarkedExplicitEmpty } from '../../schema/explicit-empty.ts';
import { type FieldTree, leaf, type Membership, makeNode } from './field-tree.ts';
import { elementOf } from './list-elements.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { sameValue } from './same-value.ts';
import { anyShape, entryShape, type ListShape, type Shape, type StructShape } from './shape.ts';
import { zeroValue } from './zero-value.ts';

/** The results of a walk over a value, and the limit of its cache. */
export interface TreeWalk {
  /** Whether a list has an item that nothing identifies. */
  hasNameless: boolean;
  /** How many more steps the walk may add to the known structures. */
  stepsLeft: number;
}

/** The maximum number of steps that one object may add to the known structures. */
export const maxStepsPerObject = 2048;

/** The maximum number of known steps, about 4 MB with their trees. When it is exceeded, the cache is cleared. */
const maxKnown = 16_384;

/**
 * Returns every node of an added or removed value.
 *
 * The tree depends on the structure of the value alone: the names of its fields and the keys of its maps and lists.
 * Objects of the same origin have the same structure. A tree is therefore built and sorted once. Later it is found by
 * the names of the members and the trees of their values, container by container. Equal structures share their trees,
 * so the text of a tree is also created only once.
 */
export function wholeTree(shape: Shape, value: unknown, walk: TreeWalk): FieldTree {
  return shape.atomic ? leaf : finderOf(shape).treeOf(value, walk)!;
}

interface Member {
  readonly shape: Shape;
  /** Undefined for a member without an owner. */
  readonly element: PathElement | undefined;
}

function memberOf(shape: Shape, key: string): Member {
  const field = shape.type === 'struct' ? shape.fields.get(key) : undefined;
  if (field === undefined) return { shape: entryShape(shape) ?? anyShape, element: fieldElement(key) };
  return { shape: field.shape, element: field.tracked === 'no' ? undefined : field.element };
}

/**
 * Returns every node in which a new object differs from one for which nothing is specified. Undefined when there is
 * none; null when `compare` is needed to determine it.
 */
export function newTree(shape: StructShape, object: Readonly<JsonObject>): FieldTree | undefined | null {
  if (isMarkedExplicitEmpty(object)) return null;
  let root = known.roots.get(shape);
  if (root === undefined) {
    root = new Members(shape, zeroValue(shape));
    known.roots.set(shape, root);
  }
  const walk: NewWalk = { hasNameless: false, stepsLeft: maxStepsPerObject, isUnclear: false };
  const tree = root.treeOf(object, walk);
  return walk.isUnclear || walk.hasNameless ? null : tree;
}

interface NewWalk extends TreeWalk {
  isUnclear: boolean;
}

class KnownStructures {
  readonly finders = new WeakMap<Shape, TreeFinder>();
  readonly roots = new WeakMap<StructShape, Members>();
  steps = 0;
}

let known = new KnownStructures();

function mayAdd(walk: TreeWalk): boolean {
  if (walk.stepsLeft === 0) return false;
  walk.stepsLeft--;
  if (++known.steps > maxKnown) known = new KnownStructures();
  return true;
}

/** Finds the trees of values in one position of a type. */
interface TreeFinder {
  /** Undefined when no node of the value is in the set. */
  treeOf(value: unknown, walk: TreeWalk): FieldTree | undefined;
}

function finderOf(shape: Shape): TreeFinder {
  let finder = known.finders.get(shape);
  if (finder === undefined) {
    finder = shape.type === 'list' ? new Items(shape, 'member') : new Members(shape);
    known.finders.set(shape, finder);
  }
  return finder;
}

/** A prefix of the members of a container. */
class Prefix {
  /** The tree of a container with exactly these members. Null until it is needed. */
  tree: FieldTree | undefined | null = null;
  readonly previous: Prefix | undefined;
  readonly element: PathElement;
  readonly node: FieldTree | undefined;
  #name: string | undefined;
  #step: Step | undefined;
  #others: Map<string, Step> | undefined;

  constructor(previous: Prefix | undefined, element: PathElement, node: FieldTree | undefined) {
    this.previous = previous;
    this.element = element;
    this.node = node;
  }

  /** Returns the known step to a member with this name. */
  step(name: string): Step | undefined {
    return this.#name === name ? this.#step : this.#others?.get(name);
  }

  addKnown(name: string, step: Step): void {
    if (this.#step === undefined) {
      this.#name = name;
      this.#step = step;
    } else {
      this.#others ??= new Map();
      this.#others.set(name, step);
    }
  }

  /** Returns the elements of the prefix and their nodes, in the order of the members. */
  content(): { readonly elements: PathElement[]; readonly nodes: FieldTree[] } {
    const elements: PathElement[] = [];
    const nodes: FieldTree[] = [];
    for (let at: Prefix = this; at.previous !== undefined; at = at.previous) {
      if (at.node === undefined) continue;
      elements.push(at.element);
      nodes.push(at.node);
    }
    return { elements: elements.reverse(), nodes: nodes.reverse() };
  }
}

/** The step from a prefix to the next member. */
class Step {
  /** Undefined for a member without an owner. */
  readonly element: PathElement | undefined;
  /** Undefined when the tree of any value is a leaf. */
  readonly finder: TreeFinder | undefined;
  #next: Prefix | undefined;
  #others: Map<FieldTree | undefined, Prefix> | undefined;

  constructor(element: PathElement | undefined, finder: TreeFinder | undefined) {
    this.element = element;
    this.finder = finder;
  }

  /** Returns the prefix that ends with the member, if the value of the member has this tree. */
  to(node: FieldTree | undefined, previous: Prefix, walk: TreeWalk): Prefix {
    const known = this.#next?.node === node ? this.#next : this.#others?.get(node);
    if (known !== undefined) return known;
    const next = new Prefix(previous, this.element!, node);
    if (this.#next === undefined) {
      this.#next = next;
    } else if (mayAdd(walk)) {
      this.#others ??= new Map();
      this.#others.set(node, next);
    }
    return next;
  }
}

/** Structs, maps, and objects that no schema describes. */
class Members implements TreeFinder {
  readonly #shape: Shape;
  /** The fields that are always written. Undefined for an object that is new as a whole. */
  readonly #zero: Readonly<JsonObject> | undefined;
  readonly #start = new Prefix(undefined, '', undefined);

  constructor(shape: Shape, zero?: Readonly<JsonObject>) {
    this.#shape = shape;
    this.#zero = zero;
  }

  treeOf(value: unknown, walk: TreeWalk): FieldTree | undefined {
    if (!isJsonObject(value)) return leaf;
    let prefix = this.#start;
    for (const key in value) {
      const member = value[key];
      if (member === undefined) continue;
      const step = prefix.step(key) ?? this.#newStep(key, prefix, walk);
      if (step.element === undefined) continue;
      prefix = step.to(step.finder === undefined ? leaf : step.finder.treeOf(member, walk), prefix, walk);
    }
    if (prefix.tree === null) {
      const { elements, nodes } = prefix.content();
      prefix.tree = makeNode(elements, nodes, this.#zero === undefined ? 'member' : 'children only');
    }
    return prefix.tree;
  }

  #newStep(key: string, prefix: Prefix, walk: TreeWalk): Step {
    const { shape, element } = memberOf(this.#shape, key);
    const step = new Step(element, element === undefined ? undefined : this.#finder(key, shape));
    if (mayAdd(walk)) prefix.addKnown(key, step);
    return step;
  }

  #finder(key: string, shape: Shape): TreeFinder | undefined {
    const zero = this.#zero !== undefined && Object.hasOwn(this.#zero, key) ? this.#zero[key] : undefined;
    if (zero !== undefined) return new Difference(shape, zero);
    return shape.atomic ? undefined : finderOf(shape);
  }
}

/** Lists whose items have names. */
class Items implements TreeFinder {
  readonly #shape: ListShape;
  readonly #membership: Membership;
  readonly #start = new Prefix(undefined, '', undefined);

  constructor(shape: ListShape, membership: Membership) {
    this.#shape = shape;
    this.#membership = membership;
  }

  treeOf(value: unknown, walk: TreeWalk): FieldTree | undefined {
    if (!Array.isArray(value)) return leaf;
    let prefix = this.#start;
    for (const item of value) {
      const element = elementOf(this.#shape, item);
      if (element === undefined) {
        walk.hasNameless = true;
        continue;
      }
      const step = prefix.step(element) ?? this.#newStep(element, prefix, walk);
      prefix = step.to(step.finder === undefined ? leaf : step.finder.treeOf(item, walk), prefix, walk);
    }
    if (prefix.tree === null) prefix.tree = this.#build(prefix);
    return prefix.tree;
  }

  #newStep(element: PathElement, prefix: Prefix, walk: TreeWalk): Step {
    const { items } = this.#shape;
    const step = new Step(element, items.atomic ? undefined : finderOf(items));
    if (mayAdd(walk)) prefix.addKnown(element, step);
    return step;
  }

  /** Duplicate elements are a single value, because they cannot be distinguished. */
  #build(prefix: Prefix): FieldTree | undefined {
    const content = prefix.content();
    const nodes = new Map<PathElement, FieldTree>();
    for (const [index, element] of content.elements.entries()) {
      nodes.set(element, nodes.has(element) ? leaf : content.nodes[index]!);
    }
    return makeNode([...nodes.keys()], [...nodes.values()], this.#membership);
  }
}

/** The value of an always written field in a new object. */
class Difference implements TreeFinder {
  readonly #shape: Shape;
  readonly #zero: unknown;
  readonly #inside: TreeFinder;

  constructor(shape: Shape, zero: unknown) {
    this.#shape = shape;
    this.#zero = zero;
    this.#inside =
      shape.type === 'list' ? new Items(shape, 'children only') : new Members(shape, isJsonObject(zero) ? zero : {});
  }

  treeOf(value: unknown, walk: NewWalk): FieldTree | undefined {
    if (value === this.#zero) return undefined;
    if (this.#shape.atomic) return sameValue(this.#shape, this.#zero, value) ? undefined : leaf;
    const isList = this.#shape.type === 'list';
    const isInside = isList ? Array.isArray(value) && this.#zero === null : isJsonObject(value);
    const tree = isInside ? this.#inside.treeOf(value, walk) : undefined;
    // Null and an empty container differ, but have no differing members.
    if (tree === undefined && (!isInside || this.#zero === null)) walk.isUnclear = true;
    return tree;
  }
}
