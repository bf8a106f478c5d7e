import { isAbsorbable } from '../cel-error.ts';
import { indexIn } from './equality.ts';
import { Frame, type Run } from './frame.ts';
import { ListValue } from './values.ts';

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
      return this.add(run(new Frame({}, { limit: Number.POSITIVE_INFINITY, slots: 0 })));
    } catch (error) {
      if (isAbsorbable(error)) return undefined;
      throw error;
    }
  }
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
