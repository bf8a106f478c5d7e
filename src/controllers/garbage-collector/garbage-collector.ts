import { pause, type WorkQueue } from '../../client/index.ts';
import type { Controller, ControllerTools } from '../controller.ts';
import { type CollectedType, ownerTypeKey } from './collected-type.ts';
import { ImpossibleOwners } from './impossible-owners.ts';
import { MetadataWriter } from './metadata-writer.ts';
import { ObjectCollector } from './object-collector.ts';
import { Orphaner } from './orphaner.ts';
import { OwnerGraph } from './owner-graph.ts';
import { OwnerLookup } from './owner-lookup.ts';
import { ResourceMonitors } from './resource-monitors.ts';
import { Settling, settleMs } from './settling.ts';
import { isTypeGone } from './type-gone.ts';

/** How often discovery is read for new types. */
const refreshMs = 30_000;
/** The delay before a second check: the types of an extension server appear after its discovery has been read. */
const lateMs = 2000;
/**
 * The minimum pause after a refresh, as a multiple of its duration. A refresh mostly waits if the storage is remote.
 */
const refreshShare = 40;
const maxRefreshPauseMs = 5000;
/** The delay before a retry when the first refresh fails. */
const retryMs = 500;
/** The delay before work is done again that needed a type which is no longer served. */
const goneMs = 500;
const definitions = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];
const collectors = 32;
const roundKey = 'round';

/** Deletes objects whose owners are deleted, and carries out the propagation policy of deletes. */
export const garbageCollector: Controller = {
  name: 'garbage-collector-controller',
  aliases: ['garbagecollector'],

  async run(tools, signal) {
    const collection = new Collection(tools, signal);
    await collection.run();
  },
};

class Collection {
  readonly #report: (error: Error) => void;
  readonly #signal: AbortSignal;
  readonly #graph: OwnerGraph;
  readonly #monitors: ResourceMonitors;
  readonly #collecting: WorkQueue;
  readonly #orphaning: WorkQueue;
  readonly #refreshing: WorkQueue;

  constructor({ client, discovery, clock, storeState, report, queue }: ControllerTools, signal: AbortSignal) {
    this.#report = report;
    this.#signal = signal;
    const graph = new OwnerGraph({
      check: (uid) => this.#collecting.add(uid),
      orphan: (uid) => {
        orphaner.add(uid);
        this.#orphaning.add(roundKey);
      },
    });
    // The types of a definition are already served when its change is visible.
    const changed = ({ group }: CollectedType): void => {
      if (!definitions.includes(group)) return;
      settling.changed();
      this.#refreshing.addAfter(roundKey, Math.max(settleMs, nextRefresh - performance.now()));
    };
    const settling = new Settling();
    let nextRefresh = 0;
    // The duration of a refresh grows with the number of types. The pauses leave most of the time to other work while
    // many definitions change.
    const refresh = async (): Promise<void> => {
      if (!settling.isOver) return this.#refreshing.addAfter(roundKey, settleMs);
      const looksAgain = settling.end();
      const start = performance.now();
      await monitors.refresh();
      const end = performance.now();
      const pauseMs = Math.min(refreshShare * (end - start), maxRefreshPauseMs);
      nextRefresh = end + pauseMs;
      if (looksAgain) this.#refreshing.addAfter(roundKey, Math.max(lateMs, pauseMs));
    };
    const monitors = new ResourceMonitors(
      {
        client,
        discovery,
        report,
        onPut: (type, object) => {
          graph.put(type, object);
          changed(type);
        },
        onRemoved: (uid, type) => {
          owners.deleted(uid);
          graph.remove(uid);
          changed(type);
        },
        onForgotten: (uid) => graph.remove(uid),
        uidsOf: (key) => graph.uidsOf(key),
        // Dependents of owners of unknown types have been ignored until now.
        onTypes: (isNew) => graph.recheck((reference) => isNew(ownerTypeKey(reference))),
      },
      signal,
    );
    const writer = new MetadataWriter(client);
    const owners = new OwnerLookup({ client, graph, typeOf: (key) => monitors.typeOf(key), storeState });
    const impossible = new ImpossibleOwners({ client, clock, report });
    const onImpossible = impossible.record.bind(impossible);
    const collector = new ObjectCollector({ client, graph, owners, writer, onImpossible });
    const types = async () => {
      await monitors.refresh();
      return monitors.types();
    };
    const orphaner = new Orphaner({ client, graph, writer, types });
    this.#graph = graph;
    this.#monitors = monitors;
    // A blocking dependent may be of a type whose monitor has not synced yet.
    const collect = async (uid: string): Promise<void> => {
      await monitors.synced();
      await collector.collect(uid);
    };
    this.#collecting = queue((uid) => this.#unlessGone(collect(uid), () => this.#collecting.addAfter(uid, goneMs)), {
      workers: collectors,
    });
    const orphanAgain = (): void => this.#orphaning.addAfter(roundKey, goneMs);
    this.#orphaning = queue(() => this.#unlessGone(orphaner.round(), orphanAgain), { workers: 1 });
    this.#refreshing = queue(refresh, { workers: 1 });
  }

  /** When a type is no longer served, discovery is read and the work is done again. */
  async #unlessGone(work: Promise<void>, again: () => void): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!isTypeGone(error)) throw error;
      this.#refreshing.addAfter(roundKey, settleMs);
      again();
    }
  }

  async run(): Promise<void> {
    await this.#begin();
    while (!this.#signal.aborted) {
      await pause(refreshMs, this.#signal);
      if (!this.#signal.aborted) this.#refreshing.add(roundKey);
    }
    await Promise.all([this.#collecting, this.#orphaning, this.#refreshing].map((queue) => queue.idle()));
    await this.#monitors.stopped();
  }

  async #begin(): Promise<void> {
    while (!this.#signal.aborted) {
      try {
        await this.#monitors.refresh();
        break;
      } catch (error) {
        if (!this.#signal.aborted) this.#report(error as Error);
        await pause(retryMs, this.#signal);
      }
    }
    if (!this.#signal.aborted) this.#graph.complete();
  }
}
