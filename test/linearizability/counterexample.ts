import { type CheckOptions, checkHistory, type DeadEnd } from './check-history.ts';
import type { Model, Operation } from './operation.ts';

const maxExplainedShown = 12;

/**
 * Returns a smaller part of a history that is not linearizable either: the beginning up to the first return that cannot
 * be explained, without irrelevant reads and rejections. If the whole history were linearizable, this part would be
 * too.
 */
export function reduce<State, Input, Output>(
  options: CheckOptions<State, Input, Output>,
): readonly Operation<Input, Output>[] {
  const isViolation = (operations: readonly Operation<Input, Output>[]): boolean =>
    checkHistory({ ...options, operations }).verdict === 'violation';
  return withoutReads(shortest(options.operations, isViolation), { model: options.model, isViolation });
}

type IsViolation<Input, Output> = (operations: readonly Operation<Input, Output>[]) => boolean;

function shortest<Input, Output>(
  operations: readonly Operation<Input, Output>[],
  isViolation: IsViolation<Input, Output>,
): readonly Operation<Input, Output>[] {
  const returns = operations.map(({ returned }) => returned).filter(Number.isFinite);
  returns.sort((one, other) => one - other);
  let possible = 0;
  let impossible = returns.length;
  while (impossible - possible > 1) {
    const middle = Math.floor((possible + impossible) / 2);
    if (isViolation(beginning(operations, returns[middle - 1]!))) impossible = middle;
    else possible = middle;
  }
  const cut = beginning(operations, returns[impossible - 1] ?? 0);
  return isViolation(cut) ? cut : operations;
}

/** Returns the operations as they were known at that time. */
function beginning<Input, Output>(
  operations: readonly Operation<Input, Output>[],
  end: number,
): Operation<Input, Output>[] {
  return operations
    .filter(({ invoked }) => invoked <= end)
    .map((operation) =>
      operation.returned <= end ? operation : { ...operation, output: undefined, returned: Number.POSITIVE_INFINITY },
    );
}

function withoutReads<State, Input, Output>(
  operations: readonly Operation<Input, Output>[],
  { model, isViolation }: { model: Model<State, Input, Output>; isViolation: IsViolation<Input, Output> },
): readonly Operation<Input, Output>[] {
  let kept = operations.filter((operation) => operation.output !== undefined || !model.reads(operation));
  for (let size = kept.length; size >= 1; size = Math.floor(size / 2)) {
    const reads = kept.filter((operation) => model.reads(operation));
    for (let start = 0; start < reads.length; start += size) {
      const dropped = new Set(reads.slice(start, start + size));
      const rest = kept.filter((operation) => !dropped.has(operation));
      if (isViolation(rest)) kept = rest;
    }
  }
  return kept;
}

/**
 * Describes for a developer the last explained operations, the state after them, and the operations that do not fit.
 */
export function describeDeadEnd<State, Input, Output>(
  model: Model<State, Input, Output>,
  { explained, state, blocked }: DeadEnd<State, Input, Output>,
): string {
  const shown = explained.slice(-maxExplainedShown);
  const start = Math.min(...[...shown, ...blocked].map(({ invoked }) => invoked));
  const line = (operation: Operation<Input, Output>): string => {
    const time = (at: number): string => (Number.isFinite(at) ? (at - start).toFixed(1) : '?').padStart(8);
    return `  ${time(operation.invoked)} ${time(operation.returned)}  ${operation.client}: ${model.describe(operation)}`;
  };
  return [
    ...(explained.length > shown.length ? [`after ${explained.length - shown.length} operations:`] : []),
    ...shown.map(line),
    `the state is ${model.describeState(state)}`,
    'and none of these can be next (milliseconds of invocation and return; ?: no answer):',
    ...blocked.map(line),
  ].join('\n');
}
