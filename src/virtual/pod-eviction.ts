import { type Clock, timestamp } from '../meta/clock.ts';
import type { ResourceObject } from '../meta/object.ts';
import { badRequest, conflict, notFound, StatusError } from '../meta/status-error.ts';
import { successStatus } from '../meta/success-status.ts';
import type { UserInfo } from '../meta/user.ts';
import { virtualTarget } from '../registry/admit-write.ts';
import { type DeleteOptions, decodeObject, type ResourceSet, subresourceKind, type Verbs } from '../registry/index.ts';
import { checkObjectNamespace } from '../registry/match-request.ts';
import type { PodStatus } from '../resources/core/pod-status-types.ts';
import { builtInKind, Eviction } from '../resources/index.ts';
import { allowsUnreadyEviction, budgetOf, stillProcessed, takeDisruption } from './disruption-budget.ts';
import { admitAll, creationRequest, type VirtualAdmission } from './virtual-admission.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };
const evictions = subresourceKind({
  group: 'policy',
  version: 'v1',
  kind: 'Eviction',
  schema: Eviction,
  knownKind: builtInKind,
  alsoRead: ['policy/v1beta1'],
});
const target = virtualTarget(evictions, { resource: pods, subresource: 'eviction', namespaced: true });
/** The maximum number of attempts when the status of the pod changes during the eviction. */
const attempts = 20;

/** `pods/eviction`: a delete that respects the disruption budget of the pod. */
export function podEviction(set: ResourceSet, admission: VirtualAdmission = admitAll): Verbs {
  return {
    async create(request) {
      const { object } = await decodeObject(evictions, request);
      const { namespace, name, user, warn } = request;
      checkObjectNamespace(object, namespace);
      const sent = await admission.mutate(creationRequest(target, object, request));
      if (sent.metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object');
      await admission.validate(creationRequest(target, sent, request));
      const options = deleteOptions(sent, request);
      await new PodEviction(set, { namespace, name, user, warn }, options).run();
      return { status: successStatus };
    },
  };
}

function deleteOptions(
  { deleteOptions: sent }: ResourceObject,
  { dryRun }: Pick<DeleteOptions, 'dryRun'>,
): DeleteOptions {
  const given = (sent ?? {}) as Partial<Omit<DeleteOptions, 'dryRun'>> & { readonly dryRun?: readonly string[] };
  return {
    dryRun: dryRun || !!given.dryRun?.length,
    gracePeriodSeconds: given.gracePeriodSeconds === undefined ? undefined : Number(given.gracePeriodSeconds),
    orphanDependents: given.orphanDependents,
    propagationPolicy: given.propagationPolicy,
    preconditions: given.preconditions,
  };
}

interface Target {
  readonly namespace: string;
  readonly name: string;
  readonly user: UserInfo;
  readonly warn: (text: string) => void;
}

class PodEviction {
  readonly #set: ResourceSet;
  readonly #target: Target;
  readonly #options: DeleteOptions;

  constructor(set: ResourceSet, target: Target, options: DeleteOptions) {
    this.#set = set;
    this.#target = target;
    this.#options = options;
  }

  async run(): Promise<void> {
    const pod = await this.#deleteUnguarded();
    if (pod === undefined) return;
    const budget = await budgetOf(this.#set, pod);
    if (budget === undefined) return this.#delete();
    if (!isReady(pod) && allowsUnreadyEviction(budget)) return this.#deleteUnready(pod, budget.metadata.name ?? '');
    const { dryRun } = this.#options;
    await takeDisruption(this.#set, budget, { pod: this.#target.name, dryRun });
    return this.#delete();
  }

  /** Deletes a pod that counts for no budget. Otherwise returns the pod and does nothing. */
  async #deleteUnguarded(): Promise<ResourceObject | undefined> {
    for (let attempt = 1; ; attempt++) {
      const pod = await this.#set.current.get(pods, this.#target);
      if (pod === undefined) throw notFound({ group: '', resource: 'pods' }, this.#target.name);
      if (!isUnguarded(pod)) return pod;
      try {
        // A pending pod may have become ready meanwhile, and would then count.
        await this.#delete(hasEnded(pod) ? undefined : pod.metadata.resourceVersion);
        return undefined;
      } catch (error) {
        if (this.#hasClientVersion || !isConflict(error) || attempt === attempts) throw error;
      }
    }
  }

  async #deleteUnready(pod: ResourceObject, budget: string): Promise<void> {
    try {
      await this.#delete(pod.metadata.resourceVersion);
    } catch (error) {
      throw isConflict(error) && !this.#hasClientVersion ? stillProcessed(budget) : error;
    }
  }

  get #hasClientVersion(): boolean {
    return !!this.#options.preconditions?.resourceVersion;
  }

  /** `version` is a precondition, unless the client has set one. */
  async #delete(version?: string): Promise<void> {
    const { dryRun, preconditions: given } = this.#options;
    const wanted = given?.resourceVersion || version;
    let preconditions = { ...(given?.uid && { uid: given.uid }), ...(wanted && { resourceVersion: wanted }) };
    if (!dryRun) {
      const marked = await this.#set.update(pods, this.#target, (pod) => {
        checkPreconditions(pod, preconditions);
        return withDisruption(pod, this.#set.clock);
      });
      if (wanted && marked !== undefined) {
        preconditions = { ...preconditions, resourceVersion: marked.metadata.resourceVersion ?? '' };
      }
    }
    const { delete: remove } = this.#set.find(pods)!.verbs;
    await remove!({ ...this.#target, options: { ...this.#options, preconditions }, isAdmitted: true });
  }
}

function checkPreconditions(
  { metadata }: ResourceObject,
  { uid, resourceVersion }: { uid?: string; resourceVersion?: string },
): void {
  const failed = (what: string, guess: string): StatusError =>
    conflict({ group: '', resource: 'Pod' }, metadata.name ?? '', `${what}. The object might have been ${guess}`);
  if (uid !== undefined && uid !== metadata.uid) {
    const values = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid})`;
    throw failed(values, 'deleted and then recreated');
  }
  if (resourceVersion === undefined || resourceVersion === metadata.resourceVersion) return;
  const values = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion})`;
  throw failed(values, 'modified');
}

const statusOf = (pod: ResourceObject): PodStatus => (pod.status ?? {}) as PodStatus;

/** Adds the condition that shows why the pod is deleted. */
function withDisruption(pod: ResourceObject, clock: Clock): ResourceObject {
  const { conditions = [], ...others } = statusOf(pod);
  const type = 'DisruptionTarget';
  const before = conditions.find((condition) => condition.type === type);
  const next = {
    type,
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
    lastTransitionTime: timestamp(clock),
    ...(before?.status === 'True' && { ...before, reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' }),
  };
  const changed = before === undefined ? [...conditions, next] : conditions.map((old) => (old === before ? next : old));
  return { ...pod, status: { ...others, conditions: changed } };
}

function hasEnded(pod: ResourceObject): boolean {
  const { phase } = statusOf(pod);
  return phase === 'Succeeded' || phase === 'Failed' || pod.metadata.deletionTimestamp !== undefined;
}

function isUnguarded(pod: ResourceObject): boolean {
  return hasEnded(pod) || statusOf(pod).phase === 'Pending';
}

function isReady(pod: ResourceObject): boolean {
  return !!statusOf(pod).conditions?.some(({ type, status: state }) => type === 'Ready' && state === 'True');
}

function isConflict(error: unknown): boolean {
  return error instanceof StatusError && error.status.code === 409;
}
