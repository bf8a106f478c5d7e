import { type CelType, isOptional, parametersOf } from '../checker/cel-type.ts';
import { codePoints } from '../evaluate/values.ts';
import {
  accumulatorName,
  type CallExpression,
  type ComprehensionExpression,
  type Expression,
} from '../parser/expression.ts';
import { exactly, type Operand, type Range, union, unknownSize } from './call-cost.ts';
import { Path } from './path.ts';

/** The sizes of the keys and values of a list or map. */
export interface EntrySizes {
  readonly list: boolean;
  readonly key: Range;
  readonly value: Range;
}

interface Local {
  readonly path: Path;
  readonly size: Range | undefined;
  readonly entries: EntrySizes | undefined;
}

const one = exactly(1);
const scalars: ReadonlySet<string> = new Set(['bool', 'int', 'uint', 'double', 'timestamp', 'duration']);

/** Where paths through the declared types begin. */
export interface DeclaredSizes {
  readonly variables: Readonly<Record<string, CelType>>;
  /** The variable with whose type all paths begin, whatever their first name is. */
  readonly root?: string | undefined;
}

/** The known sizes of the values in one expression, from the declared types and from literals. */
export class Sizes {
  readonly #variables: Readonly<Record<string, CelType>>;
  readonly #root: string | undefined;
  readonly #locals = new Map<string, Local[]>();
  readonly #paths = new Map<Expression, Path>();
  readonly #sizes = new Map<Expression, Range>();
  readonly #entries = new Map<Expression, EntrySizes>();

  constructor({ variables, root }: DeclaredSizes) {
    this.#variables = variables;
    this.#root = root;
  }

  size(node: Expression): Range | undefined {
    const known = this.#sizes.get(node) ?? writtenSize(node);
    if (known !== undefined) return known;
    const declared = this.#declaredSize(this.#path(node));
    if (declared !== undefined) {
      this.#sizes.set(node, declared);
      return declared;
    }
    if (isScalar(node.type!)) return one;
    return node.kind === 'ident' ? this.#local(node.name)?.size : undefined;
  }

  entrySizes(node: Expression): EntrySizes | undefined {
    return this.#entries.get(node) ?? (node.kind === 'ident' ? this.#local(node.name)?.entries : undefined);
  }

  /** Follows a path through the declared types. */
  #declaredSize(path: Path): Range | undefined {
    const [first, ...names] = path.names;
    if (first === undefined) return undefined;
    const root = this.#root ?? first;
    let type: CelType | undefined = Object.hasOwn(this.#variables, root) ? this.#variables[root] : undefined;
    for (const name of names) type = type === undefined ? undefined : typeAt(type, name);
    return type?.maxElements === undefined ? undefined : { min: 0, max: type.maxElements };
  }

  setSize(node: Expression, size: Range | undefined): void {
    if (size !== undefined) this.#sizes.set(node, size);
  }

  setEntries(node: Expression, entries: EntrySizes | undefined): void {
    if (entries !== undefined) this.#entries.set(node, entries);
  }

  /** Records that the node is a variable, or a type. */
  setVariable(node: Expression, name: string): void {
    this.#paths.set(node, this.#local(name)?.path ?? Path.none.with(name));
  }

  /** Records that the node is a part of the value of another node. */
  setMember(node: Expression, { of, name }: { readonly of: Expression; readonly name: string }): void {
    this.#paths.set(node, this.#path(of).with(name));
  }

  copySizes(to: Expression, from: Expression): void {
    this.setSize(to, this.size(from));
    this.setEntries(to, this.entrySizes(from));
  }

  joinEntries(node: CallExpression, sides: readonly Expression[] = node.args): void {
    const [left, right] = sides.map((side) => this.entrySizes(side));
    if (left === undefined || right === undefined) return;
    this.#entries.set(node, {
      list: left.list,
      key: union(left.key, right.key),
      value: union(left.value, right.value),
    });
  }

  pushBound(name: string, value: Expression): void {
    this.#push(name, { path: this.#path(value), size: this.size(value), entries: this.entrySizes(value) });
  }

  pushVariables({ range, variable, variable2 }: ComprehensionExpression): void {
    const entries = this.entrySizes(range);
    const list = entries?.list ?? range.type?.kind === 'list';
    const path = this.#path(range);
    const key = (): Local => ({ path: path.with(list ? '@indices' : '@keys'), size: entries?.key, entries: undefined });
    const value = (): Local => ({
      path: path.with(list ? '@items' : '@values'),
      size: entries?.value,
      entries: undefined,
    });
    if (variable2 === undefined) this.#push(variable, list ? value() : key());
    else {
      this.#push(variable, key());
      this.#push(variable2, value());
    }
  }

  popVariables({ variable, variable2 }: ComprehensionExpression): void {
    this.pop(variable);
    if (variable2 !== undefined) this.pop(variable2);
  }

  operand(node: Expression): Operand {
    const knownSize = this.size(node);
    const path = this.#path(node);
    return {
      type: node.type!,
      literal: node.kind === 'literal' ? node.value : undefined,
      path: path.names[0] === accumulatorName ? Path.none : path,
      knownSize,
      size: knownSize ?? unknownSize,
    };
  }

  itemsOf(list: Operand): Operand | undefined {
    const [type] = parametersOf(list.type);
    if (type === undefined) return undefined;
    const path = list.path.isEmpty ? Path.none : list.path.copyWith('@items');
    const knownSize = this.#declaredSize(path);
    return { type, path, knownSize, size: knownSize ?? unknownSize };
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #push(name: string, local: Local): void {
    const stack = this.#locals.get(name);
    if (stack === undefined) this.#locals.set(name, [local]);
    else stack.push(local);
  }

  pop(name: string): void {
    this.#locals.get(name)!.pop();
  }

  #path(node: Expression): Path {
    if (node.kind === 'ident') {
      const local = this.#local(node.name);
      if (local !== undefined) return local.path;
    }
    return this.#paths.get(node) ?? Path.none;
  }
}

function typeAt(type: CelType, name: string): CelType | undefined {
  switch (type.kind) {
    case 'list':
      return name === '@items' || name === '@values' ? type.items : undefined;
    case 'map':
      if (name === '@keys') return type.keys;
      // The attributes of a device, whose types differ, have the same size under each name.
      return name === '@values' || name === '@items' || type.values.kind === 'any' ? type.values : undefined;
    case 'object':
      return Object.hasOwn(type.fields, name) ? type.fields[name]!.type : undefined;
    default:
      return undefined;
  }
}

/** Returns the size of a literal, list or map in the expression. */
function writtenSize(node: Expression): Range | undefined {
  switch (node.kind) {
    case 'literal':
      if (typeof node.value === 'string') return exactly(codePoints(node.value));
      return exactly(node.value instanceof Uint8Array ? node.value.length : 1);
    case 'list':
      return exactly(node.elements.length);
    case 'map':
      return exactly(node.entries.length);
    default:
      return undefined;
  }
}

function isScalar(type: CelType): boolean {
  return scalars.has(type.kind) || (isOptional(type) && isScalar(type.parameters[0]!));
}
