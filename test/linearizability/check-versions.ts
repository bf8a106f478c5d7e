import { Violation } from '../exactness/violation.ts';
import { type ObjectOperation, objectModel } from './object-model.ts';

/**
 * Versions are of the whole type, so they tell the order of what happened in different namespaces, too: a write has a higher
 * version than all that was known before it began, and a list is not of an older one.
 */
export function checkVersions(operations: readonly ObjectOperation[]): void {
  const told = operations
    .flatMap((operation) => ('version' in shown(operation) ? [{ operation, ...(shown(operation) as Shown) }] : []))
    .sort((one, other) => one.operation.returned - other.operation.returned);
  const asking = told.toSorted((one, other) => one.operation.invoked - other.operation.invoked);
  let next = 0;
  let newest: (typeof told)[number] | undefined;
  for (const { operation, version, isNew, isState } of asking) {
    for (let one = told[next]; one !== undefined && one.operation.returned < operation.invoked; one = told[++next]) {
      if (newest === undefined || one.version > newest.version) newest = one;
    }
    if (newest === undefined) continue;
    const isWrong = (isNew && version <= newest.version) || (isState && version < newest.version);
    if (!isWrong) continue;
    const [before, after] = [newest.operation, operation].map(
      (one) => `  ${one.client} in ${one.input.namespace}: ${objectModel.describe(one)}`,
    );
    throw new Violation(`versions went back:\n${before}\nand after that\n${after}`);
  }
}

interface Shown {
  readonly version: number;
  /** A write. */
  readonly isNew: boolean;
  /** Of the whole collection. */
  readonly isState: boolean;
}

function shown({ input, output }: ObjectOperation): Shown | Record<string, never> {
  if (output?.kind === 'list') return { version: output.version, isNew: false, isState: true };
  if (output?.kind !== 'object') return {};
  return { version: output.object.version, isNew: input.verb !== 'get', isState: false };
}
