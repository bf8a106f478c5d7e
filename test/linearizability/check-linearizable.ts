import { Violation } from '../exactness/violation.ts';
import { checkHistory } from './check-history.ts';
import { describeDeadEnd, reduce } from './counterexample.ts';
import type { Model, Operation } from './operation.ts';

export interface LinearizableOptions<State, Input, Output> {
  readonly model: Model<State, Input, Output>;
  readonly operations: readonly Operation<Input, Output>[];
  /** Operations of different partitions are independent of each other. */
  partitionOf(input: Input): string;
  readonly maxSteps?: number;
}

/** Throws when a partition of the history is not linearizable, or when the search gave up. */
export function checkLinearizable<State, Input, Output>({
  operations,
  partitionOf,
  ...options
}: LinearizableOptions<State, Input, Output>): void {
  const partitions = Map.groupBy(operations, ({ input }) => partitionOf(input));
  for (const [partition, own] of partitions) {
    const { verdict, steps } = checkHistory({ ...options, operations: own });
    if (verdict === 'linearizable') continue;
    if (verdict === 'unknown') {
      throw new Violation(
        `${partition}: not decided whether ${own.length} operations are linearizable, after ${steps} steps`,
      );
    }
    const reduced = checkHistory({ ...options, operations: reduce({ ...options, operations: own }) });
    const deadEnd = 'deadEnd' in reduced ? describeDeadEnd(options.model, reduced.deadEnd) : '';
    throw new Violation(`${partition}: not linearizable:\n${deadEnd}`);
  }
}
