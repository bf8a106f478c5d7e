import { Violation } from '../exactness/violation.ts';
import { type ObjectOperation, objectModel } from './object-model.ts';

/**
 * Checks versions across namespaces, which is possible because they are shared by the whole type. A write must have a
 * higher version than all versions that were returned before it began, and a list must not have a lower one.
 */
export function checkVersions(operations: readonly ObjectOperation[]): void {
  const byReturn = operations
    .flatMap((operation) => ('version' in shown(operation) ? [{ operation, ...(shown(operation) as Shown) }] : []))
    .sort((one, other) => one.operation.returned - other.operation.returned);
  const byInvocation = byReturn.toSorted((one, other) => one.operation.invoked - other.operation.invoked);
  let next = 0;
  let newest: (typeof byReturn)[number] | undefined;
  for (const { operation, version, isNew, isState } of byInvocation) {
    for (
      let one = byReturn[next];
      one !== undefined && one.operation.returned < operation.invoked;
      one = byReturn[++next]
    ) {
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
  /** Whether it is the version of a write. */
  readonly isNew: boolean;
  /** Whether it is the version of a whole collection. */
  readonly isState: boolean;
}

function shown({ input, output }: ObjectOperation): Shown | Record<string, never> {
  if (output?.kind === 'list') return { version: output.version, isNew: false, isState: true };
  if (output?.kind !== 'object') return {};
  return { version: output.object.version, isNew: input.verb !== 'get', isState: false };
}
