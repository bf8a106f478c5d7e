/**
 * Small controllers with typical mistakes, each next to a correct one. The tests in `examples.test.ts` distinguish
 * them.
 */
import type { Client, ResourceObject } from '../../src/testing/index.ts';

export interface Counter extends ResourceObject {
  readonly data?: { readonly count?: string };
}

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
export const counters = (client: Client) => client.resource<Counter>(configMaps, 'default');
const next = ({ data }: Counter) => ({ count: `${Number(data?.count ?? 0) + 1}` });

/** Lost update: a write without the version that was read overwrites the changes of others. */
export async function countBlindly(client: Client, name: string): Promise<void> {
  const { metadata, ...read } = await counters(client).get(name);
  const { resourceVersion: _forgotten, ...rest } = metadata;
  await counters(client).update({ ...read, metadata: rest, data: next(read as Counter) });
}

export async function countCarefully(client: Client, name: string): Promise<void> {
  for (;;) {
    const read = await counters(client).get(name);
    try {
      await counters(client).update({ ...read, data: next(read) });
      return;
    } catch (error) {
      if ((error as { code?: number }).code !== 409) throw error;
    }
  }
}

interface Follower {
  readonly seen: ReadonlySet<string>;
  readonly begun: Promise<void>;
}

type Mistake = 'ignores 410' | 'never watches again' | 'does not list first';

/** Follows config maps, with or without a mistake, until the signal aborts. */
export function follow(client: Client, signal: AbortSignal, mistake?: Mistake): Follower {
  const seen = new Set<string>();
  const begun = Promise.withResolvers<void>();
  const list = async (): Promise<string> => {
    const { items, metadata } = await counters(client).list();
    for (const item of items) if (mistake !== 'does not list first') seen.add(item.metadata.name ?? '');
    return metadata.resourceVersion;
  };
  const run = async (): Promise<void> => {
    let resourceVersion = await list();
    while (!signal.aborted) {
      begun.resolve();
      try {
        const parameters = { resourceVersion, timeoutSeconds: 300 };
        for await (const { type, object } of counters(client).watch(parameters, signal)) {
          if (type === 'ERROR') throw Object.assign(new Error('watch failed'), object);
          seen.add(object.metadata.name ?? '');
          resourceVersion = object.metadata.resourceVersion ?? resourceVersion;
        }
        if (mistake === 'never watches again') return;
      } catch (error) {
        if (signal.aborted) return;
        // The version has expired. Only a new list shows the missed changes.
        if ((error as { code?: unknown }).code === 410 && mistake !== 'ignores 410') resourceVersion = await list();
        else await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  };
  void run();
  return { seen, begun: begun.promise };
}

/** Stale read: decides whether the child exists with a cache that does not contain its own last write yet. */
export class ChildMaker {
  readonly #client: Client;
  readonly #cache: ReadonlySet<string>;
  readonly #isLive: boolean;

  constructor(client: Client, cache: ReadonlySet<string>, { isLive }: { isLive: boolean }) {
    this.#client = client;
    this.#cache = cache;
    this.#isLive = isLive;
  }

  async reconcile(parent: string): Promise<void> {
    if ([...this.#cache].some((name) => name.startsWith(`${parent}-`))) return;
    // With a name that is derived from the parent, a second create fails. With generated names, it creates a second
    // child.
    const metadata = this.#isLive ? { name: `${parent}-child` } : { generateName: `${parent}-` };
    await counters(this.#client)
      .create({ metadata })
      .catch((error: { code?: number }) => {
        if (error.code !== 409) throw error;
      });
  }
}
