import {
  type CelType,
  dynType,
  isDynamic,
  isWrapper,
  mapParameters,
  parametersOf,
  type TypeParameter,
} from './cel-type.ts';

/** The current bindings of type parameters. */
export class Substitution {
  readonly #types = new Map<string, CelType>();
  /** The bindings to restore when a trial fails. */
  readonly #trail: { readonly name: string; readonly type: CelType | undefined }[] = [];
  #parameters = 0;

  /** A type parameter that occurs nowhere yet. */
  newParameter(): TypeParameter {
    return { kind: 'parameter', name: `#${this.#parameters++}` };
  }

  get(name: string): CelType | undefined {
    return this.#types.get(name);
  }

  set(name: string, type: CelType): void {
    this.#trail.push({ name, type: this.#types.get(name) });
    this.#types.set(name, type);
  }

  /** Keeps the bindings of the trial only if it succeeds. */
  attempt(trial: () => boolean): boolean {
    const start = this.#trail.length;
    if (trial()) return true;
    while (this.#trail.length > start) {
      const { name, type } = this.#trail.pop()!;
      if (type === undefined) this.#types.delete(name);
      else this.#types.set(name, type);
    }
    return false;
  }
}

/** Whether a value of type `from` may be used as `to`. Binds type parameters in `known` when it may. */
export function isAssignable(known: Substitution, from: CelType, to: CelType): boolean {
  return known.attempt(() => assign(known, from, to));
}

export function areAssignable(known: Substitution, from: readonly CelType[], to: readonly CelType[]): boolean {
  if (from.length !== to.length) return false;
  return known.attempt(() => from.every((type, index) => assign(known, type, to[index]!)));
}

function assign(known: Substitution, from: CelType, to: CelType): boolean {
  if (from === to && from.kind !== 'parameter' && parametersOf(from).length === 0) return true;
  if (to.kind === 'parameter') {
    const bound = bind(known, to, from);
    if (bound !== undefined) return bound;
  }
  if (from.kind === 'parameter') {
    const bound = bind(known, from, to);
    if (bound !== undefined) return bound;
  }
  if (isDynamic(from) || isDynamic(to)) return true;
  if (from.kind === 'null') return isNullable(to);
  if (to.kind === 'null') return isNullable(from);
  if (!isSameConstructor(from, to)) return false;
  // A type is a type, whatever it is the type of.
  if (from.kind === 'type') return true;
  const [left, right] = [parametersOf(from), parametersOf(to)];
  return left.length === right.length && left.every((type, index) => assign(known, type, right[index]!));
}

/** Undefined when the parameter occurs in the type itself, so that it cannot be bound. */
function bind(known: Substitution, parameter: TypeParameter, type: CelType): boolean | undefined {
  if (type.kind === 'parameter' && type.name === parameter.name) return true;
  const bound = known.get(parameter.name);
  if (bound !== undefined) {
    if (!assign(known, type, bound)) return false;
    const general = isAtLeastAsGeneral(bound, type) ? bound : type;
    if (!occursIn(known, parameter.name, general)) known.set(parameter.name, general);
    return true;
  }
  if (occursIn(known, parameter.name, type)) return undefined;
  known.set(parameter.name, type);
  return true;
}

function occursIn(known: Substitution, name: string, type: CelType): boolean {
  if (type.kind === 'parameter') {
    if (type.name === name) return true;
    const bound = known.get(type.name);
    return bound !== undefined && occursIn(known, name, bound);
  }
  return parametersOf(type).some((parameter) => occursIn(known, name, parameter));
}

function isNullable(type: CelType): boolean {
  return isWrapper(type) || ['null', 'timestamp', 'duration', 'object', 'opaque'].includes(type.kind);
}

function isSameConstructor(left: CelType, right: CelType): boolean {
  if (left.kind !== right.kind) return false;
  return left.kind === 'object' || left.kind === 'opaque' ? left.name === (right as typeof left).name : true;
}

export function isSameType(left: CelType, right: CelType): boolean {
  if (left === right) return true;
  if (!isSameConstructor(left, right)) return false;
  if (left.kind === 'parameter') return left.name === (right as TypeParameter).name;
  const [mine, others] = [parametersOf(left), parametersOf(right)];
  return mine.length === others.length && mine.every((type, index) => isSameType(type, others[index]!));
}

function isAtLeastAsGeneral(left: CelType, right: CelType): boolean {
  if (isDynamic(left) || left.kind === 'parameter') return true;
  if (isDynamic(right) || right.kind === 'parameter') return false;
  if (!isSameConstructor(left, right)) return false;
  if (left.kind === 'type') return true;
  const [mine, others] = [parametersOf(left), parametersOf(right)];
  return mine.length === others.length && mine.every((type, index) => isAtLeastAsGeneral(type, others[index]!));
}

export function moreGeneral(left: CelType, right: CelType): CelType {
  return isAtLeastAsGeneral(left, right) ? left : right;
}

/** Replaces bound type parameters. With `free: 'dyn'` the others become dyn. */
export function substitute(known: Substitution, type: CelType, options: { readonly free?: 'dyn' } = {}): CelType {
  if (type.kind === 'parameter') {
    const bound = known.get(type.name);
    if (bound !== undefined) return substitute(known, bound, options);
    return options.free === 'dyn' ? dynType : type;
  }
  return mapParameters(type, (parameter) => substitute(known, parameter, options));
}
