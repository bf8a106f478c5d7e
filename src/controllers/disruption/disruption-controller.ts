import { ApiError, type Informer, untilAborted, type WorkQueue } from '../../client/index.ts';
import { objectLabelSelector } from '../../meta/object-label-selector.ts';
import type { Controller, ControllerTools } from '../controller.ts';
import type { Budget, BudgetStatus, Pod } from './budget.ts';
import { failedStatus, isSameStatus, judgedStatus } from './budget-status.ts';
import { expectedPods, UnknownScaleError } from './expected-pods.ts';

const budgetsType = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' };
const podsType = { group: '', version: 'v1', resource: 'pods' };
/** Owners of pods are not followed: when they could not be found, they are looked for again. */
const retryOwnersMs = 15_000;

/** Writes into disruption budgets how many of their pods may be evicted. */
export const disruptionController: Controller = {
  name: 'disruption-controller',
  aliases: ['disruption'],

  async run(tools, signal) {
    const budgets = tools.informers.informer<Budget>(budgetsType);
    budgets.addIndex('namespace', namespaceOf);
    const judging = new Judging(tools, budgets);
    const look = ({ metadata }: Budget): void => judging.queue.add(`${metadata.namespace}/${metadata.name}`);
    budgets.addHandler({
      added: look,
      updated: look,
      deleted: () => judging.releasePodsWhenUnused(),
    });
    await untilAborted(signal);
  },
};

const namespaceOf = ({ metadata }: Budget | Pod): string[] => [metadata.namespace ?? ''];

class Judging {
  readonly queue: WorkQueue;
  readonly #tools: ControllerTools;
  readonly #budgets: Informer<Budget>;
  /** Pods are many, and most clusters have no budget: they are followed only when there is one. */
  #pods: { readonly informer: Informer<Pod>; readonly removeHandler: () => void } | undefined;

  constructor(tools: ControllerTools, budgets: Informer<Budget>) {
    this.#tools = tools;
    this.#budgets = budgets;
    this.queue = tools.queue((key) => this.#judge(key));
  }

  releasePodsWhenUnused(): void {
    if (this.#budgets.size > 0 || this.#pods === undefined) return;
    this.#pods.removeHandler();
    this.#tools.informers.release(this.#pods.informer);
    this.#pods = undefined;
  }

  async #judge(key: string): Promise<void> {
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
    const now = Date.now();
    try {
      const counts = await expectedPods(budget, pods, this.#tools);
      const { status, again } = judgedStatus(budget, pods, { ...counts, now });
      await this.#write(budget, status);
      if (again !== undefined) this.queue.addAfter(key, again);
    } catch (error) {
      if (!(error instanceof UnknownScaleError)) throw error;
      await this.#write(budget, failedStatus(budget, error.message, now));
      this.queue.addAfter(key, retryOwnersMs);
    }
  }

  /** With the version that was judged: an eviction that was faster must not be forgotten. */
  async #write(budget: Budget, status: BudgetStatus): Promise<void> {
    if (isSameStatus(budget.status, status)) return;
    const resource = this.#tools.client.resource<Budget>(budgetsType, budget.metadata.namespace);
    await resource.update({ ...budget, status }, { subresource: 'status' }).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 404) throw error;
    });
  }

  #followPods(): Informer<Pod> {
    if (this.#pods !== undefined) return this.#pods.informer;
    const informer = this.#tools.informers.informer<Pod>(podsType);
    informer.addIndex('namespace', namespaceOf);
    const look = (pod: Pod): void => this.#lookAtBudgetsOf(pod);
    const removeHandler = informer.addHandler({
      added: look,
      updated: (pod, before) => {
        look(before);
        look(pod);
      },
      deleted: look,
    });
    this.#pods = { informer, removeHandler };
    return informer;
  }

  #lookAtBudgetsOf({ metadata: { namespace = '', labels } }: Pod): void {
    for (const { metadata, spec } of this.#budgets.byIndex('namespace', namespace)) {
      if (spec?.selector && objectLabelSelector(spec.selector).matches(labels)) {
        this.queue.add(`${namespace}/${metadata.name}`);
      }
    }
  }
}
