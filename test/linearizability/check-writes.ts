import { isDeepStrictEqual } from 'node:util';
import type { Change, History } from '../exactness/history.ts';
import { Violation } from '../exactness/violation.ts';
import { contentOf, namePrefix } from './object-client.ts';
import { type ObjectContent, type ObjectOperation, objectModel } from './object-model.ts';

/**
 * What watches have told is what writers have done: no write that was acknowledged is missing, and nothing happened that
 * nobody asked for, or more often than it was asked for. A write without an answer may have happened, once.
 */
export function checkWrites(
  history: History,
  operations: readonly ObjectOperation[],
  namespaces: readonly string[],
): void {
  const unexplained = new Map<number, Change>();
  const deletions = new Map<string, Change>();
  for (const change of history.changes) {
    const { namespace, name } = (change.object ?? change.previous!).metadata;
    if (!namespaces.includes(namespace) || !isOwn(name)) continue;
    unexplained.set(change.version, change);
    if (change.object === undefined) deletions.set(change.previous!.metadata.uid, change);
  }
  for (const operation of operations) {
    const explained = explain(operation, { unexplained, deletions });
    if (explained !== undefined) unexplained.delete(explained.version);
  }
  const lost = operations.filter(({ output }) => output === undefined);
  for (const change of unexplained.values()) {
    const index = lost.findIndex((operation) => mayHaveDone(operation, change));
    if (index < 0) throw new Violation(`nobody has made ${describe(change)}, or not once more`);
    lost.splice(index, 1);
  }
}

/** The event of a write that was acknowledged. */
function explain(
  operation: ObjectOperation,
  { unexplained, deletions }: { unexplained: Map<number, Change>; deletions: Map<string, Change> },
): Change | undefined {
  const { input, output } = operation;
  if (input.verb === 'get' || input.verb === 'list' || output === undefined) return undefined;
  const what = `of ${operation.client}'s ${input.namespace}: ${objectModel.describe(operation)}`;
  if (output.answer === 'deleted') {
    const change = deletions.get(output.uid);
    if (change === undefined) throw new Violation(`nobody was told ${what}`);
    if (!unexplained.has(change.version)) throw new Violation(`it was deleted twice, as told ${what}`);
    return change;
  }
  if (output.answer !== 'object') return undefined;
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
  if (input.verb === 'delete' || object === undefined) return input.verb === 'delete' && object === undefined;
  if (input.verb === 'create' && previous !== undefined) return false;
  // Every write has a value of its own.
  const { data }: ObjectContent = contentOf(object);
  return Object.entries(input.data).every(([field, value]) => (data[field] ?? null) === value);
}

function isOwn(name: string): boolean {
  return name.startsWith(namePrefix);
}

function describe({ version, key, object }: Change): string {
  return `${key} at ${version} (${object === undefined ? 'deleted' : JSON.stringify(contentOf(object).data)})`;
}
