import { type DiscoveredResource, type Informer, untilAborted, type WorkQueue } from '../../client/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { Controller, ControllerTools } from '../controller.ts';
import { ignoreNotFound } from '../ignore-not-found.ts';
import { type Change, CountedTypes } from './counted-types.ts';
import { isSameAmounts, type Quota, type QuotaMeasure, QuotaUsage } from './quota-usage.ts';

const resourceQuotas = { group: '', version: 'v1', resource: 'resourcequotas' };
const definitions = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
/** The verbs of types that can be counted and whose number users can change. */
const quotableVerbs = ['create', 'list', 'watch', 'delete'];
/** Batches deletions, which often come in bursts. */
const batchDelayMs = 20;
/** Recounting finds usage that was charged for objects that were not stored in the end. */
const resyncMs = 5 * 60_000;
/** How long after a status write a concurrent admission may have been missed. */
const recentWriteMs = 5000;
const recentWriteDelayMs = 500;

/** Writes limits and usage into the status of resource quotas. */
export function resourceQuotaController(measure: QuotaMeasure): Controller {
  return {
    name: 'resourcequota-controller',
    aliases: ['resourcequota'],
    async run(tools, signal) {
      const counting = new Counting(tools, measure);
      counting.start();
      await untilAborted(signal);
    },
  };
}

class Counting {
  readonly #tools: ControllerTools;
  readonly #measure: QuotaMeasure;
  readonly #usage: QuotaUsage;
  readonly #quotas: Informer<Quota>;
  readonly #queue: WorkQueue;
  readonly #types: CountedTypes;
  /** When this controller last wrote a quota of each namespace, by a clock that does not jump. */
  readonly #written = new Map<string, number>();

  constructor(tools: ControllerTools, measure: QuotaMeasure) {
    this.#tools = tools;
    this.#measure = measure;
    this.#usage = new QuotaUsage(measure);
    this.#quotas = tools.informers.informer<Quota>(resourceQuotas);
    this.#quotas.addIndex('namespace', ({ metadata }) => [metadata.namespace ?? '']);
    this.#queue = tools.queue((key) => this.#count(key));
    const { informers } = tools;
    this.#types = new CountedTypes({ informers, measure, onChange: (change) => this.#onChange(change) });
  }

  start(): void {
    const add = ({ metadata }: Quota): void => this.#queue.add(`${metadata.namespace}/${metadata.name}`);
    this.#quotas.addHandler({
      added: add,
      updated: (quota) => {
        // The admission plugin itself writes the usage of new objects.
        if (!isSameAmounts(quota.status?.hard, quota.spec?.hard ?? {})) add(quota);
      },
      deleted: add,
    });
    // The name of a definition is the name of its type in quotas.
    const recount = ({ metadata }: ResourceObject): void => {
      const limit = `count/${metadata.name}`;
      for (const quota of this.#quotas.list()) if (quota.spec?.hard?.[limit] !== undefined) add(quota);
    };
    this.#tools.informers
      .informer(definitions, { metadataOnly: true })
      .addHandler({ added: recount, updated: recount, deleted: recount });
  }

  async #count(key: string): Promise<void> {
    const [namespace = '', name = ''] = key.split('/');
    const { resources } = await this.#tools.discovery.read();
    this.#types.keep(this.#quotas.list().flatMap((each) => this.#countedTypes(each, resources)));
    const quota = this.#quotas.get(namespace, name);
    if (quota === undefined || quota.metadata.deletionTimestamp !== undefined) {
      this.#written.delete(namespace);
      return;
    }
    const types = await this.#types.follow(this.#countedTypes(quota, resources));
    const hard = quota.spec?.hard ?? {};
    const used = this.#usage.total(quota, types);
    if (!isSameAmounts(quota.status?.hard, hard) || !isSameAmounts(quota.status?.used, used)) {
      // The resource version makes the update fail when the admission plugin has written meanwhile.
      await this.#tools.client
        .resource<Quota>(resourceQuotas, namespace)
        .update({ ...quota, status: { hard, used } }, { subresource: 'status' })
        .catch(ignoreNotFound);
      this.#written.set(namespace, performance.now());
    }
    this.#queue.addAfter(key, resyncMs);
  }

  #countedTypes(quota: Quota, resources: readonly DiscoveredResource[]): DiscoveredResource[] {
    const names = Object.keys(quota.spec?.hard ?? {});
    return resources.filter(
      (type) =>
        type.namespaced &&
        quotableVerbs.every((verb) => type.verbs.includes(verb)) &&
        names.some((name) => this.#measure.concerns(type, name)),
    );
  }

  #onChange({ type, before, after }: Change): void {
    const namespace = (after ?? before)?.metadata.namespace ?? '';
    const delay = this.#delay({ type, before, after }, namespace);
    if (delay === undefined) return;
    for (const { metadata } of this.#quotas.byIndex('namespace', namespace)) {
      this.#queue.addAfter(`${namespace}/${metadata.name}`, delay);
    }
  }

  /** The delay before the next count; undefined when no count is needed. */
  #delay({ type, before, after }: Change, namespace: string): number | undefined {
    if (after === undefined) return batchDelayMs;
    if (before === undefined) {
      const written = this.#written.get(namespace) ?? Number.NEGATIVE_INFINITY;
      return performance.now() - written < recentWriteMs ? recentWriteDelayMs : undefined;
    }
    // Most updates do not change the usage of an object.
    if (!this.#measure.needsWholeObjects(type)) return undefined;
    const isChanged =
      this.#hasOtherUsage(type, { before, after }) || this.#hasOtherScope({ type, before, after }, namespace);
    return isChanged ? batchDelayMs : undefined;
  }

  /** Whether the change moves the object into or out of the scope of a quota. */
  #hasOtherScope({ type, before, after }: Change, namespace: string): boolean {
    const isCounted = (quota: Quota, object: Change['after']): boolean =>
      this.#measure.isInScopes(type, quota, object!);
    const quotas = this.#quotas.byIndex('namespace', namespace);
    return quotas.some((quota) => isCounted(quota, before) !== isCounted(quota, after));
  }

  #hasOtherUsage(type: DiscoveredResource, { before, after }: Required<Pick<Change, 'before' | 'after'>>): boolean {
    const [old, next] = [this.#usage.of(type, before!), this.#usage.of(type, after!)];
    if (old.size !== next.size) return true;
    for (const [name, amount] of next) {
      const other = old.get(name);
      if (other?.unscaled !== amount.unscaled || other.exponent !== amount.exponent) return true;
    }
    return false;
  }
}
