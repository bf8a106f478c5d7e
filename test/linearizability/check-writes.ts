import { isDeepStrictEqual } from 'node:util';
import type { Change, History } from '../exactness/history.ts';
import { Violation } from '../exactness/violation.ts';
import { contentOf, namePrefix } from './object-client.ts';
import { type ObjectOperation, objectModel } from './object-model.ts';

/**
 * Checks that the recorded events match the writes. Every acknowledged write must have an event, and no event may exist
 * without a request for it, or more often than requested. A write without a response may have one event.
 *
 * Returns the operations with the outcomes of those without a response. They are left out if no event matches, and get
 * an output if an event identifies them. The event of a deletion does not identify the client that requested it.
 */
export function checkWrites(
  history: History,
  operations: readonly ObjectOperation[],
  namespaces: readonly string[],
): ObjectOperation[] {
  const unexplained = new Map<number, Change>();
  const deletions = new Map<string, Change>();
  for (const change of history.changes) {
    const { namespace, name } = (change.object ?? change.previous!).metadata;
    if (!namespaces.includes(namespace) || !name.startsWith(namePrefix)) continue;
    unexplained.set(change.version, change);
    if (change.object === undefined) deletions.set(change.previous!.metadata.uid, change);
  }
  for (const operation of operations) {
    const explained = explain(operation, { unexplained, deletions });
    if (explained !== undefined) unexplained.delete(explained.version);
  }
  return [
    ...operations.filter(({ output }) => output !== undefined),
    ...found(
      operations.filter(({ output }) => output === undefined),
      [...unexplained.values()],
    ),
  ];
}

/** Returns the operations without a response that have an event, or that may have caused one of the deletions. */
function found(lost: readonly ObjectOperation[], changes: readonly Change[]): ObjectOperation[] {
  // Operations with preconditions come first, because they match fewer changes.
  const left = new Set(lost.toSorted((one, other) => preconditions(other) - preconditions(one)));
  const happened: ObjectOperation[] = [];
  for (const change of changes) {
    const operation = [...left].find((one) => mayHaveDone(one, change));
    if (operation === undefined) throw new Violation(`nobody has made ${describe(change)}, or not once more`);
    left.delete(operation);
    if (change.object !== undefined) {
      happened.push({ ...operation, output: { kind: 'object', object: contentOf(change.object) } });
    }
  }
  const gone = changes.filter(({ object }) => object === undefined);
  return [...happened, ...lost.filter((operation) => gone.some((change) => mayHaveDone(operation, change)))];
}

function preconditions({ input }: ObjectOperation): number {
  return ('version' in input ? 1 : 0) + ('uid' in input ? 1 : 0);
}

/** Returns the event of an acknowledged write. */
function explain(
  operation: ObjectOperation,
  { unexplained, deletions }: { unexplained: Map<number, Change>; deletions: Map<string, Change> },
): Change | undefined {
  const { input, output } = operation;
  if (input.verb === 'get' || input.verb === 'list' || output === undefined) return undefined;
  const what = `of ${operation.client}'s ${input.namespace}: ${objectModel.describe(operation)}`;
  if (output.kind === 'deleted') {
    const change = deletions.get(output.uid);
    if (change === undefined) throw new Violation(`nobody was told ${what}`);
    if (!unexplained.has(change.version)) throw new Violation(`it was deleted twice, as told ${what}`);
    return change;
  }
  if (output.kind !== 'object') return undefined;
  const change = unexplained.get(output.object.version);
  if (change?.object === undefined || change.key !== `${input.namespace}/${input.name}`) {
    throw new Violation(`nobody was told ${what}`);
  }
  if (!isDeepStrictEqual(contentOf(change.object), output.object)) {
    throw new Violation(`${describe(change)} was told instead ${what}`);
  }
  return change;
}

function mayHaveDone({ input }: ObjectOperation, { key, object, previous }: Change): boolean {
  if (input.verb === 'get' || input.verb === 'list' || key !== `${input.namespace}/${input.name}`) return false;
  const before = previous === undefined ? undefined : contentOf(previous);
  if ('version' in input && input.version !== before?.version) return false;
  if (input.verb === 'delete') return object === undefined && [undefined, before?.uid].includes(input.uid);
  if (object === undefined || (input.verb === 'create' && before !== undefined)) return false;
  // Every write has a unique value.
  const { data } = contentOf(object);
  return Object.entries(input.data).every(([field, value]) => (data[field] ?? null) === value);
}

function describe({ version, key, object }: Change): string {
  return `${key} at ${version} (${object === undefined ? 'deleted' : JSON.stringify(contentOf(object).data)})`;
}
