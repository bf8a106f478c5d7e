import type { CallCost } from '../cost/call-cost.ts';
import {
  anyType,
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  type ObjectType,
  optionalType,
  stringType,
  timestampType,
  typeType,
  uintType,
} from './cel-type.ts';

/** One signature of a function, with its implementation and cost. */
export interface Overload {
  readonly name: string;
  /** Called as `target.name(...)`. The target is the first parameter. */
  readonly member: boolean;
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  /** Whether the signature has type parameters. */
  readonly generic: boolean;
  /** Undefined for operators that the planner implements. */
  readonly call: ((...values: never[]) => unknown) | undefined;
  readonly cost: CallCost;
  /** The kind of path element that an index operation adds to the path of its operand. */
  readonly element?: '@items' | '@values';
  /** Constant arguments make the result constant. */
  readonly foldable?: boolean;
  /** Values of dynamic types may have entries of any type. */
  readonly unguarded?: boolean;
  /** Whether the second operand is a pattern, which is compiled with the expression if it is constant. */
  readonly hasPattern?: boolean;
}

type Implementation = ((...values: never[]) => unknown) | undefined;

interface FunctionOptions {
  readonly cost?: CallCost;
  readonly element?: '@items' | '@values';
  readonly foldable?: boolean;
  readonly unguarded?: boolean;
  readonly hasPattern?: boolean;
}

const standardCost: CallCost = {};

/**
 * Declares a function by its signatures, for example `string.(int): string` for a member function and
 * `(list(A), list(A)): bool` for a global one. Capital letters are type parameters.
 */
export function defineFunction(
  name: string,
  signatures: Readonly<Record<string, Implementation>>,
  options: FunctionOptions = {},
): readonly Overload[] {
  return Object.entries(signatures).map(
    ([signature, call]) => new DeclaredOverload(name, signature, { ...options, call }),
  );
}

type Signature = Pick<Overload, 'member' | 'parameters' | 'result' | 'generic'>;

/** The signature is read on first use: most processes check few expressions, and all declare the whole library. */
class DeclaredOverload implements Overload {
  readonly name: string;
  readonly call: Implementation;
  readonly cost: CallCost;
  readonly element?: '@items' | '@values';
  readonly foldable?: boolean;
  readonly unguarded?: boolean;
  readonly hasPattern?: boolean;
  readonly #text: string;
  #signature: Signature | undefined;

  constructor(name: string, signature: string, options: FunctionOptions & { readonly call: Implementation }) {
    const { call, cost = standardCost, element, foldable, unguarded, hasPattern } = options;
    this.name = name;
    this.call = call;
    this.cost = cost;
    if (element !== undefined) this.element = element;
    if (foldable !== undefined) this.foldable = foldable;
    if (unguarded !== undefined) this.unguarded = unguarded;
    if (hasPattern !== undefined) this.hasPattern = hasPattern;
    this.#text = signature;
  }

  get member(): boolean {
    return this.#read().member;
  }

  get parameters(): readonly CelType[] {
    return this.#read().parameters;
  }

  get result(): CelType {
    return this.#read().result;
  }

  get generic(): boolean {
    return this.#read().generic;
  }

  #read(): Signature {
    this.#signature ??= new SignatureReader(this.#text).read();
    return this.#signature;
  }
}

const opaque = (name: string): CelType => ({ kind: 'opaque', name, parameters: [] });
const named = (name: string): CelType => ({ kind: 'object', name, fields: {}, maxElements: 0 });

const simpleTypes: Readonly<Record<string, CelType>> = {
  dyn: dynType,
  any: anyType,
  bool: boolType,
  int: intType,
  uint: uintType,
  double: doubleType,
  string: stringType,
  bytes: bytesType,
  null: nullType,
  timestamp: timestampType,
  duration: durationType,
  type: typeType(),
};

/** The types of the Kubernetes libraries. */
export const libraryTypes: Readonly<Record<string, CelType>> = {
  URL: named('kubernetes.URL'),
  Quantity: named('kubernetes.Quantity'),
  Semver: named('kubernetes.Semver'),
  Format: named('kubernetes.NamedFormat'),
  IP: opaque('net.IP'),
  CIDR: opaque('net.CIDR'),
  Authorizer: named('kubernetes.authorization.Authorizer'),
  PathCheck: named('kubernetes.authorization.PathCheck'),
  GroupCheck: named('kubernetes.authorization.GroupCheck'),
  ResourceCheck: named('kubernetes.authorization.ResourceCheck'),
  Decision: named('kubernetes.authorization.Decision'),
};

class SignatureReader {
  readonly #text: string;
  #index = 0;

  constructor(text: string) {
    this.#text = text.replaceAll(' ', '');
  }

  read(): Signature {
    const parameters: CelType[] = [];
    const member = this.#text[0] !== '(';
    if (member) {
      parameters.push(this.#type());
      this.#index++;
    }
    this.#index++;
    while (this.#text[this.#index] !== ')') {
      parameters.push(this.#type());
      if (this.#text[this.#index] === ',') this.#index++;
    }
    this.#index += 2;
    return { member, parameters, result: this.#type(), generic: /(?<![a-zA-Z])[A-Z](?![a-zA-Z])/.test(this.#text) };
  }

  #type(): CelType {
    const name = /^[a-zA-Z]+/.exec(this.#text.slice(this.#index))![0];
    this.#index += name.length;
    if (name.length === 1) return { kind: 'parameter', name };
    const plain = simpleTypes[name] ?? libraryTypes[name];
    if (this.#text[this.#index] !== '(') return plain!;
    const parameters: CelType[] = [];
    while (this.#text[this.#index] !== ')') {
      this.#index++;
      parameters.push(this.#type());
    }
    this.#index++;
    const [first, second] = parameters;
    if (name === 'list') return listType(first!);
    if (name === 'map') return mapType(first!, second!);
    return name === 'type' ? typeType(first!) : optionalType(first!);
  }
}

/** The types of objects that an expression may construct, by name. */
export type MessageTypes = (name: string) => ObjectType | undefined;

/** The functions that an expression may call. */
export class FunctionTable {
  readonly #overloads = new Map<string, Overload[]>();

  constructor(overloads: Iterable<Overload>) {
    for (const overload of overloads) {
      const known = this.#overloads.get(overload.name);
      if (known === undefined) this.#overloads.set(overload.name, [overload]);
      else known.push(overload);
    }
  }

  get(name: string): readonly Overload[] | undefined {
    return this.#overloads.get(name);
  }

  /** A table with more functions. */
  with(more: readonly Overload[]): FunctionTable {
    return new FunctionTable([...this.#overloads.values(), more].flat());
  }
}

/** The names of types that expressions may use as values, such as `int` in `type(x) == int`. */
export const typeNames: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['bool', boolType],
  ['int', intType],
  ['uint', uintType],
  ['double', doubleType],
  ['string', stringType],
  ['bytes', bytesType],
  ['list', listType(dynType)],
  ['map', mapType(dynType, dynType)],
  ['null_type', nullType],
  ['type', typeType()],
  ['optional_type', optionalType(dynType)],
  ['google.protobuf.Timestamp', timestampType],
  ['google.protobuf.Duration', durationType],
  ...Object.values(libraryTypes).map((type): [string, CelType] => [(type as { name: string }).name, type]),
]);
