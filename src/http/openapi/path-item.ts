import type { Operation, PathItem } from './operation.ts';
import type { Parameter } from './parameters.ts';

/**
 * A path with parameters of its own. Parameters that all operations have are moved to the path. Generated clients order
 * the arguments of functions like the parameters, so those are sorted.
 */
export function pathItem(path: string, own: readonly Parameter[], operations: readonly Operation[]): PathItem {
  const [first] = operations;
  const common = (first?.parameters ?? []).filter((parameter) =>
    operations.every(({ parameters }) => parameters.some((other) => isSame(parameter, other))),
  );
  return {
    path,
    parameters: sorted([...own, ...common]),
    operations: operations.map((operation) => ({
      ...operation,
      parameters: sorted(operation.parameters.filter((parameter) => !common.some((other) => isSame(parameter, other)))),
    })),
  };
}

const isSame = (one: Parameter, other: Parameter): boolean => one.name === other.name && one.in === other.in;

const sorted = (parameters: readonly Parameter[]): readonly Parameter[] =>
  parameters.toSorted((one, other) => compare(one.name, other.name) || compare(one.in, other.in));

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
