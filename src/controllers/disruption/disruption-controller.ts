import { type Informer, untilAborted, type WorkQueue } from '../../client/index.ts';
import { objectLabelSelector } from '../../meta/object-label-selector.ts';
import type { Controller, ControllerTools } from '../controller.ts';
import { ignoreNotFound } from '../ignore-not-found.ts';
import type { Budget, BudgetStatus, Pod } from './budget.ts';
import { computedStatus, failedStatus, isSameStatus } from './budget-status.ts';
import { expectedPods, UnknownScaleError } from './expected-pods.ts';

const budgetsType = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' };
const podsType = { group: '', version: 'v1', resource: 'pods' };
/** Owners of pods are not watched, so they are looked up again after this time when they are missing. */
const retryOwnersMs = 15_000;

/** Writes into disruption budgets how many of their pods may be evicted. */
export const disruptionController: Controller = {
  name: 'disruption-controller',
  aliases: ['disruption'],

  async run(tools, signal) {
    const budgets = tools.informers.informer<Budget>(budgetsType);
    budgets.addIndex('namespace', namespaceOf);
    const updater = new BudgetUpdater(tools, budgets);
    const enqueue = ({ metadata }: Budget): void => updater.queue.add(`${metadata.namespace}/${metadata.name}`);
    budgets.addHandler({
      added: enqueue,
      updated: enqueue,
      deleted: () => updater.releasePodsWhenUnused(),
    });
    await untilAborted(signal);
  },
};

const namespaceOf = ({ metadata }: Budget | Pod): string[] => [metadata.namespace ?? ''];

class BudgetUpdater {
  readonly queue: WorkQueue;
  readonly #tools: ControllerTools;
  readonly #budgets: Informer<Budget>;
  /** Pods are watched only while a budget exists: there are many pods, and most clusters have no budget. */
  #pods: { readonly informer: Informer<Pod>; readonly removeHandler: () => void } | undefined;

  constructor(tools: ControllerTools, budgets: Informer<Budget>) {
    this.#tools = tools;
    this.#budgets = budgets;
    this.queue = tools.queue((key) => this.#updateStatus(key), { clock: tools.clock });
  }

  releasePodsWhenUnused(): void {
    if (this.#budgets.size > 0 || this.#pods === undefined) return;
    this.#pods.removeHandler();
    this.#tools.informers.release(this.#pods.informer);
    this.#pods = undefined;
  }

  async #updateStatus(key: string): Promise<void> {
    const [namespace = '', name = ''] = key.split('/');
    if (this.#budgets.get(namespace, name) === undefined) return;
    const informer = this.#followPods();
    await informer.synced;
    const budget = this.#budgets.get(namespace, name);
    if (budget === undefined || budget.metadata.deletionTimestamp !== undefined) return;
    const { selector } = budget.spec ?? {};
    const matcher = selector && objectLabelSelector(selector);
    const pods = informer
      .byIndex('namespace', namespace)
      .filter(({ metadata }) => matcher?.matches(metadata.labels) === true);
    const now = this.#tools.clock.now();
    try {
      const counts = await expectedPods(budget, pods, this.#tools);
      const { status, recheckMs } = computedStatus(budget, pods, { ...counts, now });
      await this.#write(budget, status);
      if (recheckMs !== undefined) this.queue.addAfter(key, recheckMs);
    } catch (error) {
      if (!(error instanceof UnknownScaleError)) throw error;
      await this.#write(budget, failedStatus(budget, error.message, now));
      this.queue.addAfter(key, retryOwnersMs);
    }
  }

  /** The resource version makes the update fail when an eviction has changed the status meanwhile. */
  async #write(budget: Budget, status: BudgetStatus): Promise<void> {
    if (isSameStatus(budget.status, status)) return;
    const resource = this.#tools.client.resource<Budget>(budgetsType, budget.metadata.namespace);
    await resource.update({ ...budget, status }, { subresource: 'status' }).catch(ignoreNotFound);
  }

  #followPods(): Informer<Pod> {
    if (this.#pods !== undefined) return this.#pods.informer;
    const informer = this.#tools.informers.informer<Pod>(podsType);
    informer.addIndex('namespace', namespaceOf);
    const enqueue = (pod: Pod): void => this.#enqueueBudgetsOf(pod);
    const removeHandler = informer.addHandler({
      added: enqueue,
      updated: (pod, before) => {
        enqueue(before);
        enqueue(pod);
      },
      deleted: enqueue,
    });
    this.#pods = { informer, removeHandler };
    return informer;
  }

  #enqueueBudgetsOf({ metadata: { namespace = '', labels } }: Pod): void {
    for (const { metadata, spec } of this.#budgets.byIndex('namespace', namespace)) {
      if (spec?.selector && objectLabelSelector(spec.selector).matches(labels)) {
        this.queue.add(`${namespace}/${metadata.name}`);
      }
    }
  }
}
