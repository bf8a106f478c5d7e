import { instantiationError, isAbsorbable } from '../cel-error.ts';
import { LinearRegex } from '../linear-regex.ts';
import { indexIn } from './equality.ts';
import { Frame, type Run } from './frame.ts';
import { Duration, ListValue, MapValue, Timestamp, TypeValue } from './values.ts';

/** The parts of an expression whose value is known when it is compiled. They cost nothing. */
export class Constants {
  readonly #values = new Map<Run, unknown>();

  add(value: unknown): Run {
    const run: Run = () => value;
    this.#values.set(run, value);
    return run;
  }

  areConstant(operands: readonly Run[]): boolean {
    return operands.every((run) => this.#values.has(run));
  }

  /** Undefined when the operand is not constant. */
  valueOf(operand: Run): unknown {
    return this.#values.get(operand);
  }

  /** The constant that a run over constants always returns. Undefined when it always fails. */
  fold(run: Run): Run | undefined {
    try {
      return this.#folded(run);
    } catch (error) {
      if (isAbsorbable(error)) return undefined;
      throw error;
    }
  }

  /** The constant that a conversion of a constant returns. Throws when it has no value. */
  convert(run: Run): Run {
    try {
      return this.#folded(run);
    } catch (error) {
      if (isAbsorbable(error)) throw instantiationError(error.message);
      throw error;
    }
  }

  #folded(run: Run): Run {
    return this.add(run(new Frame({}, { limit: Number.POSITIVE_INFINITY, slots: 0 })));
  }

  /** Throws when the key is a constant that can never be a key or index. */
  checkKey(key: Run): void {
    const type = this.#values.has(key) ? goTypeOf(this.#values.get(key)) : undefined;
    if (type !== undefined) throw instantiationError(`invalid qualifier type: ${type}`);
  }

  /** Throws when the operand is a constant text and not a pattern. */
  checkPattern(operand: Run): void {
    const pattern = this.#values.get(operand);
    if (typeof pattern !== 'string') return;
    try {
      LinearRegex.of(pattern);
    } catch (error) {
      if (isAbsorbable(error)) throw instantiationError(error.message);
      throw error;
    }
  }
}

/** The name of a value's type in kube-apiserver. Undefined for those that can be keys. */
function goTypeOf(value: unknown): string | undefined {
  if (value === null) return 'types.Null';
  if (value instanceof Uint8Array) return 'types.Bytes';
  if (value instanceof Timestamp) return 'types.Timestamp';
  if (value instanceof Duration) return 'types.Duration';
  if (value instanceof ListValue) return '*types.baseList';
  if (value instanceof MapValue) return '*types.baseMap';
  return value instanceof TypeValue ? '*types.Type' : undefined;
}

/** Looking up a value in a list of constants costs nothing but the value. Undefined for other lists. */
export function planMembership(value: Run, list: unknown): Run | undefined {
  if (!(list instanceof ListValue)) return undefined;
  const items = list.toArray();
  const type = typeof items[0];
  if (!items.every((item) => typeof item === type && (type === 'string' || type === 'bigint' || type === 'boolean'))) {
    return undefined;
  }
  const known = new Set(items);
  return (frame) => {
    const wanted = value(frame);
    return known.has(wanted) || (typeof wanted !== type && indexIn(list, wanted) >= 0);
  };
}
