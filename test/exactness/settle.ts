import type { ApiObject } from './api-object.ts';
import { checkChunk, checkInformer, compareObjects } from './check-informer.ts';
import type { Connection } from './connection.ts';
import type { History } from './history.ts';
import type { Informer } from './informer.ts';
import { type Lister, list } from './listing.ts';
import type { Progress } from './progress.ts';
import type { ResourceType } from './selection.ts';

const waitTimeoutMs = 60_000;

export interface SettleOptions {
  readonly informers: readonly Informer[];
  readonly histories: ReadonlyMap<ResourceType, History>;
  /** The versions of the last writes. */
  readonly last: ReadonlyMap<ResourceType, number>;
}

/** Waits until every client has received all events, and compares them with the history. */
export async function settle({ informers, histories, last }: SettleOptions): Promise<void> {
  for (const [type, version] of last) {
    await until(() => histories.get(type)!.version >= version, `the recorder did not see the last of ${type}`);
  }
  await until(() => informers.every((informer) => isComplete(informer, histories.get(informer.selection.type)!)));
  for (const informer of informers) {
    informer.stop();
    checkInformer(informer, histories.get(informer.selection.type)!);
  }
}

export interface CompareOptions {
  readonly history: History;
  readonly connection: Connection;
  readonly progress: Progress;
  /** Limits of the lists. 0 is a list without chunks. Other limits use other code in the server. */
  readonly limits: readonly number[];
}

/** Compares the cache of a client with lists. Must be called when nothing writes any more. */
export async function compareWithLists(informer: Informer, options: CompareOptions): Promise<void> {
  const { history, limits, ...lister } = options;
  for (const limit of limits) {
    const items = await listed({ ...lister, selection: informer.selection }, { limit, history });
    compareObjects(informer.followings.at(-1)!.items, items, `${informer.name}: its cache against a list`);
  }
}

async function listed(lister: Lister, { limit, history }: { limit: number; history: History }): Promise<ApiObject[]> {
  const rest = async (): Promise<void> => {};
  const { chunks } = await list(lister, { version: { match: 'newest' }, limit, inconsistent: false, rest });
  for (const chunk of chunks) checkChunk(chunk, history, 'a list in the end');
  return chunks.flatMap(({ items }) => items);
}

/** Whether the client has received all events. */
function isComplete({ following, selection }: Informer, history: History): boolean {
  if (following === undefined) return false;
  return following.seen.length >= history.events(selection, following.start, history.version).length;
}

/**
 * Waits for the condition. Without a message it returns after the timeout, because the comparison then reports what is
 * missing.
 */
async function until(condition: () => boolean, otherwise?: string): Promise<void> {
  const deadline = performance.now() + waitTimeoutMs;
  while (!condition()) {
    if (performance.now() > deadline) {
      if (otherwise === undefined) return;
      throw new Error(otherwise);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
