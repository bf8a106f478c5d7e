import { isDeepStrictEqual } from 'node:util';
import { type ApiObject, versionOf } from '../exactness/api-object.ts';
import type { History } from '../exactness/history.ts';
import { Violation } from '../exactness/violation.ts';
import type { CachedRead } from './cached-read.ts';
import { contentOf, namePrefix } from './object-client.ts';
import type { ObjectContent } from './object-model.ts';

/**
 * Checks reads from the cache of a server. They must show a state that existed and is not older than requested, and a
 * list must be complete for its version. The reads of one server must not go back in time. Another server may be behind
 * it.
 */
export function checkCachedReads(reads: readonly CachedRead[], history: History): void {
  for (const [source, own] of Map.groupBy(reads, (read) => read.source)) {
    const byReturn = own.toSorted((one, other) => one.returned - other.returned);
    let next = 0;
    let reached = 0;
    for (const read of own.toSorted((one, other) => one.invoked - other.invoked)) {
      for (let one = byReturn[next]; one !== undefined && one.returned < read.invoked; one = byReturn[++next]) {
        reached = Math.max(reached, stateOf(one, history).from);
      }
      const { upTo } = stateOf(read, history);
      if (upTo < reached) throw new Violation(`${describe(read)} by ${source}, which had shown ${reached} before`);
    }
  }
}

/** The range of versions that a read may show. */
interface States {
  readonly from: number;
  readonly upTo: number;
}

function stateOf(read: CachedRead, history: History): States {
  const { namespace, name, atLeast, output } = read;
  if (output.kind === 'list') {
    if (output.version < atLeast) throw new Violation(`${describe(read)} was to be of ${atLeast} at least`);
    const expected = contentsAt(history, { namespace, version: output.version });
    if (!isDeepStrictEqual(output.items, expected)) throw new Violation(`${describe(read)} is not what it was then`);
    return { from: output.version, upTo: output.version };
  }
  const states = statesOf(history, `${namespace}/${name}`).filter(({ object }) =>
    output.kind === 'object' ? sameContent(object, output.object) : object === undefined,
  );
  if (states.length === 0) throw new Violation(`${describe(read)} was never there`);
  const latest = states.at(-1)!;
  if (latest.upTo < atLeast) throw new Violation(`${describe(read)} was to be of ${atLeast} at least`);
  // An absent object may be read at any time when it did not exist.
  const first = states.find(({ upTo }) => upTo >= atLeast)!;
  return { from: Math.max(first.from, output.kind === 'object' ? atLeast : 0), upTo: latest.upTo };
}

function contentsAt(history: History, { namespace, version }: { namespace: string; version: number }) {
  const includes = ({ metadata }: ApiObject): boolean =>
    metadata.namespace === namespace && metadata.name.startsWith(namePrefix);
  const items = history.items({ includes }, version);
  return new Map(items.map((object) => [object.metadata.name, contentOf(object)]));
}

function statesOf(history: History, key: string): (States & { readonly object: ApiObject | undefined })[] {
  const changes = history.changes.filter((change) => change.key === key);
  const before = { from: 0, object: changes[0]?.previous };
  const states = [before, ...changes.map(({ version, object }) => ({ from: version, object }))];
  return states.map((state, index) => ({ ...state, upTo: (states[index + 1]?.from ?? Number.POSITIVE_INFINITY) - 1 }));
}

function sameContent(object: ApiObject | undefined, content: ObjectContent): boolean {
  return object !== undefined && versionOf(object) === content.version && isDeepStrictEqual(contentOf(object), content);
}

function describe({ client, namespace, name = 'all', output }: CachedRead): string {
  const shown =
    output.kind === 'list'
      ? `of ${output.version}, ${JSON.stringify([...output.items])}`
      : output.kind === 'object'
        ? JSON.stringify(output.object)
        : output.kind;
  return `${client}: a cached read of ${namespace}/${name} (${shown})`;
}
