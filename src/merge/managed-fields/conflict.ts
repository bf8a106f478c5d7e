import { goQuote } from '../../meta/go-quote.ts';
import type { StatusCause } from '../../meta/status-error.ts';
import { type FieldSet, printPath } from './field-set.ts';
import { identityOf, type ManagedEntry } from './managed-entry.ts';
import type { PathElement } from './path-element.ts';

/** Fields that an apply would change and that another manager owns. */
export interface Conflict {
  readonly owner: ManagedEntry;
  readonly fields: FieldSet;
}

/**
 * Returns the message and the causes of a conflict error, ordered by owner and then by field. Fields of one object that
 * conflict as a whole come before those that conflict in a part.
 */
export function describeConflicts(conflicts: readonly Conflict[]): { message: string; causes: StatusCause[] } {
  const sorted = conflicts.toSorted((left, right) => (identityOf(left.owner) < identityOf(right.owner) ? -1 : 1));
  const found = sorted.map(({ owner, fields }) => ({
    holder: printOwner(owner),
    fields: wholesFirst(fields.paths()).map(printPath),
  }));
  const causes = found.flatMap(({ holder, fields }) =>
    fields.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${holder}`, field })),
  );
  const [first] = causes;
  if (causes.length === 1 && first !== undefined) {
    return { message: `Apply failed with 1 conflict: ${first.message}: ${first.field}`, causes };
  }
  const lines = found.flatMap(({ holder, fields }) => [
    `conflicts with ${holder}:`,
    ...fields.map((field) => `- ${field}`),
  ]);
  return { message: `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`, causes };
}

function wholesFirst(paths: readonly PathElement[][], depth = 0): readonly PathElement[][] {
  if (paths.length < 2) return paths;
  const parts = Map.groupBy(
    paths.filter(({ length }) => length > depth + 1),
    (path) => path[depth]!,
  );
  return [
    ...paths.filter(({ length }) => length <= depth + 1),
    ...[...parts.values()].flatMap((group) => wholesFirst(group, depth + 1)),
  ];
}

function printOwner({ manager, operation, apiVersion, subresource }: ManagedEntry): string {
  const through = subresource === '' ? '' : ` with subresource ${goQuote(subresource)}`;
  return `${goQuote(manager)}${through}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}
