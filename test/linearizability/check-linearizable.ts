import { Violation } from '../exactness/violation.ts';
import { checkHistory } from './check-history.ts';
import { describeDeadEnd, reduce } from './counterexample.ts';
import type { Model, Operation } from './operation.ts';

export interface LinearizableOptions<State, Input, Output> {
  readonly model: Model<State, Input, Output>;
  readonly operations: readonly Operation<Input, Output>[];
  /** Operations of different parts have nothing to do with each other. */
  partOf(input: Input): string;
  readonly maxSteps?: number;
}

/** Throws when some part of the history is not linearizable, or when that could not be found out. */
export function checkLinearizable<State, Input, Output>({
  operations,
  partOf,
  ...options
}: LinearizableOptions<State, Input, Output>): void {
  const parts = Map.groupBy(operations, ({ input }) => partOf(input));
  for (const [part, own] of parts) {
    const { verdict, steps } = checkHistory({ ...options, operations: own });
    if (verdict === 'linearizable') continue;
    if (verdict === 'unknown') {
      throw new Violation(
        `${part}: not decided whether ${own.length} operations are linearizable, after ${steps} steps`,
      );
    }
    const reduced = checkHistory({ ...options, operations: reduce({ ...options, operations: own }) });
    const deadEnd = 'deadEnd' in reduced ? describeDeadEnd(options.model, reduced.deadEnd) : '';
    throw new Violation(`${part}: not linearizable:\n${deadEnd}`);
  }
}
