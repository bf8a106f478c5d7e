import type { Client } from '../../client/index.ts';
import { orphanFinalizer } from '../../meta/finalizers.ts';
import type { CollectedType } from './collected-type.ts';
import type { MetadataWriter, Target } from './metadata-writer.ts';
import { type OwnerGraph, orphansDependents, ownersOf } from './owner-graph.ts';

export interface OrphanerOptions {
  readonly client: Client;
  readonly graph: OwnerGraph;
  readonly writer: MetadataWriter;
  /** All currently served types whose objects may be dependents. */
  readonly types: () => Promise<readonly CollectedType[]>;
}

/** The number of dependents that are released concurrently. */
const concurrency = 32;
const pageSize = 1000;

/**
 * Removes owner references to objects that are deleted with the policy Orphan. The dependents are listed from the
 * server after the deletion has begun: watch events may lag behind, and a missed dependent would be collected. All
 * waiting owners share one pass over all types.
 */
export class Orphaner {
  readonly #options: OrphanerOptions;
  readonly #waiting = new Set<string>();

  constructor(options: OrphanerOptions) {
    this.#options = options;
  }

  add(uid: string): void {
    this.#waiting.add(uid);
  }

  /** Rejects when some dependents could not be released. Their owners wait for the next round. */
  async round(): Promise<void> {
    const { graph } = this.#options;
    const owners = new Map<string, Target>();
    for (const uid of this.#waiting) {
      const owner = graph.get(uid);
      if (owner !== undefined && orphansDependents(owner.object)) owners.set(uid, owner);
      else this.#waiting.delete(uid);
    }
    if (owners.size === 0) return;
    const failures = await this.#releaseDependents(owners);
    for (const uid of failures.keys()) owners.delete(uid);
    const errors = [...failures.values()];
    await inParallel([...owners], async ([uid, owner]) => {
      try {
        await this.#options.writer.removeFinalizer(owner, orphanFinalizer);
        this.#waiting.delete(uid);
      } catch (error) {
        errors.push(error);
      }
    });
    if (errors.length > 0) throw new AggregateError(errors, `could not release dependents: ${errors[0]}`);
  }

  /** Returns the owners with dependents that could not be released, and the errors. */
  async #releaseDependents(owners: ReadonlyMap<string, Target>): Promise<Map<string, unknown>> {
    const failures = new Map<string, unknown>();
    for (const type of await this.#options.types()) {
      const dependents = await this.#dependents(type, owners);
      await inParallel(dependents, async (dependent) => {
        try {
          await this.#options.writer.removeOwners(dependent, ({ uid }) => owners.has(uid));
        } catch (error) {
          for (const { uid } of ownersOf(dependent.object)) if (owners.has(uid)) failures.set(uid, error);
        }
      });
    }
    return failures;
  }

  async #dependents(type: CollectedType, owners: ReadonlyMap<string, Target>): Promise<Target[]> {
    const resource = this.#options.client.resource(type).metadataOnly();
    const dependents: Target[] = [];
    let token: string | undefined;
    do {
      const { items, metadata } = await resource.list({ limit: pageSize, continue: token });
      for (const object of items) {
        if (ownersOf(object).some(({ uid }) => owners.has(uid))) dependents.push({ type, object });
      }
      token = metadata.continue || undefined;
    } while (token !== undefined);
    return dependents;
  }
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
}
