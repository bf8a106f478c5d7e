import { isDeepStrictEqual } from 'node:util';
import { ApiError, type Client, delayAfter, WorkQueue } from '../client/index.ts';
import { encodeJson } from '../codec/json/index.ts';
import { type Clock, systemClock } from '../meta/clock.ts';
import type { GroupResource } from '../meta/group-version.ts';
import type { ResourceObject } from '../meta/object.ts';
import { StatusError } from '../meta/status-error.ts';
import { serverUser } from '../meta/user.ts';
import type { FirstStatus, ResourceSet } from '../registry/index.ts';
import { approvalCondition } from '../resources/apiextensions/api-approval.ts';
import { isCertificateBundle } from '../resources/apiextensions/conversion-validation.ts';
import type {
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionStatus,
} from '../resources/apiextensions/custom-resource-definition-types.ts';
import { isEstablished, specOf, statusOf } from '../resources/apiextensions/definition-parts.ts';
import { cleanupFinalizer } from '../resources/apiextensions/definition-rules.ts';
import { type CustomResources, definitionType, groupOf } from './custom-resources.ts';
import { isConditionTrue, withConditions } from './definition-conditions.ts';
import { decideNames, type TakenNames } from './definition-names.ts';

export interface DefinitionControllerOptions {
  readonly client: Client;
  readonly definitions: Pick<CustomResources, 'definitions' | 'definitionsOf'>;
  /** The names of the built-in types of a group. */
  readonly builtInNames: (group: string) => TakenNames;
  /** Deletes all objects of a type. Resolves with true when none are left. */
  readonly deleteInstances: (type: GroupResource) => Promise<boolean>;
  /** Writes the status of a definition without a request. Undefined when all writes have to be requests. */
  readonly writeStatus: ResourceSet['writeStatus'] | undefined;
  /**
   * The time until all servers of a store have noticed that a definition is being deleted. Until then they may create
   * instances, so these are deleted afterwards. Default: 0, because a single server notices it at once.
   */
  readonly settleMs?: number;
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
  readonly report: (error: Error) => void;
}

interface Reserved {
  readonly group: string;
  readonly names: CustomResourceDefinitionNames | undefined;
}

const fieldManager = 'kube-apiserver';
/** The maximum number of concurrent status writes, which share commits. Names are decided one after the other. */
const workers = 16;
/**
 * The interval of checks whether the instances of a deleted definition still exist. Finalizers may keep them for long.
 */
const cleanup = { initialMs: 50, maxMs: 5000 };
/** How long a definition that others hold shows that it is terminating, at least, because clients poll for that. */
const shownMs = 500;

/** Maintains the status of definitions, and deletes the instances of those that are being deleted. */
export class DefinitionController {
  readonly #options: DefinitionControllerOptions;
  readonly #queue: WorkQueue;
  readonly #clock: Clock;
  /** When each definition was first seen to be deleted. */
  readonly #ends = new Map<string, { readonly uid: string; readonly at: number }>();
  /** How often each definition that is being deleted was found to have instances, which determines the delay. */
  readonly #cleanupAttempts = new Map<string, number>();
  /** The names that writes in flight accept, by definition. If two definitions want the same name, only one gets it. */
  readonly #reserved = new Map<string, Reserved>();

  constructor(options: DefinitionControllerOptions, signal: AbortSignal) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const report = (error: Error): void => {
      if (!isLostRace(error)) options.report(error);
    };
    this.#queue = new WorkQueue((name) => this.#reconcile(name), { report, workers }, signal);
  }

  /** Brings the status of all definitions up to date. */
  start(): void {
    for (const name of this.#options.definitions.definitions.keys()) this.#queue.add(name);
  }

  /** A definition was created, changed or removed. */
  changed(name: string): void {
    this.#queue.add(name);
    // Names of the removed or changed definition may be available now.
    for (const [other, object] of this.#options.definitions.definitionsOf(groupOf(name))) {
      if (other !== name && !isConditionTrue(object, 'NamesAccepted')) this.#queue.add(other);
    }
  }

  /** The status of a definition that is being created. Undefined when it has to be written later. */
  firstStatus(object: ResourceObject): FirstStatus | undefined {
    const { name = '' } = object.metadata;
    if (this.#options.writeStatus === undefined || this.#reserved.has(name)) return undefined;
    const status = this.#desiredStatus(object);
    this.#reserve(name, status);
    const settled = (): void => {
      this.#reserved.delete(name);
      // Changes during the write were skipped, and reserved names that are not used are available again.
      this.changed(name);
    };
    return { status, user: serverUser, fieldManager, settled };
  }

  async #reconcile(name: string): Promise<void> {
    // The definition is processed again when the write has ended.
    if (this.#reserved.has(name)) return;
    const object = this.#options.definitions.definitions.get(name);
    if (object === undefined) {
      this.#forget(name);
      return;
    }
    try {
      if (object.metadata.deletionTimestamp !== undefined) await this.#finalize(object);
      else await this.#updateStatus(object, this.#desiredStatus(object));
    } catch (error) {
      // The definition may have been removed meanwhile, and with it the store of its instances.
      const { uid } = object.metadata;
      if (this.#options.definitions.definitions.get(name)?.metadata.uid === uid) throw error;
    }
  }

  #desiredStatus(object: ResourceObject): CustomResourceDefinitionStatus {
    const { names = {} } = specOf(object);
    const current = statusOf(object).acceptedNames ?? {};
    // Accepted names are not given to other definitions.
    const { accepted, conflict } = isDeepStrictEqual(names, current)
      ? { accepted: current, conflict: undefined }
      : decideNames(names, current, this.#taken(object));
    const conditions: CustomResourceDefinitionCondition[] = [
      conflict === undefined
        ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
        : { type: 'NamesAccepted', status: 'False', ...conflict },
    ];
    // A definition that was established once stays so.
    if (!isEstablished(object)) conditions.push(conflict === undefined ? firstEstablished(object) : notEstablished);
    const approval = approvalCondition(object);
    if (approval !== undefined) conditions.push(approval);
    const status = withConditions(object, conditions, this.#clock);
    return accepted === status.acceptedNames ? status : { ...status, acceptedNames: accepted };
  }

  /** Returns the names of the other types of the group. */
  #taken(object: ResourceObject): TakenNames {
    const { group = '' } = specOf(object);
    const builtIn = this.#options.builtInNames(group);
    const resources = new Set(builtIn.resources);
    const kinds = new Set(builtIn.kinds);
    const take = ({ plural, singular, shortNames = [], kind, listKind }: CustomResourceDefinitionNames = {}): void => {
      for (const name of [plural, singular, ...shortNames]) if (name) resources.add(name);
      for (const name of [kind, listKind]) if (name) kinds.add(name);
    };
    for (const [name, other] of this.#options.definitions.definitionsOf(group)) {
      if (name !== object.metadata.name) take(statusOf(other).acceptedNames);
    }
    for (const [name, reserved] of this.#reserved) {
      if (name !== object.metadata.name && reserved.group === group) take(reserved.names);
    }
    return { resources, kinds };
  }

  async #updateStatus(object: ResourceObject, status: CustomResourceDefinitionStatus): Promise<void> {
    // The status of most definitions is already up to date.
    if (status === object.status || encodeJson(status) === encodeJson(object.status)) return;
    const { name = '' } = object.metadata;
    this.#reserve(name, status);
    try {
      await this.#writeStatus(object, status);
    } finally {
      this.#reserved.delete(name);
    }
  }

  #reserve(name: string, { acceptedNames: names }: CustomResourceDefinitionStatus): void {
    this.#reserved.set(name, { group: groupOf(name), names });
  }

  async #writeStatus(object: ResourceObject, status: CustomResourceDefinitionStatus): Promise<void> {
    const { writeStatus } = this.#options;
    if (writeStatus !== undefined)
      await writeStatus(definitionType, { object, status, user: serverUser, fieldManager });
    else await this.#patchStatus(object, [{ op: 'add', path: '/status', value: status }]);
  }

  /** A patch is cheaper than an update: it does not repeat the schemas. */
  async #patchStatus(
    { metadata: { name = '', resourceVersion } }: ResourceObject,
    operations: object[],
  ): Promise<void> {
    const patch = [{ op: 'add', path: '/metadata/resourceVersion', value: resourceVersion }, ...operations];
    await this.#client.patchOnly(name, patch, { type: 'json', subresource: 'status', fieldManager });
  }

  async #finalize(object: ResourceObject): Promise<void> {
    const { finalizers = [], name = '' } = object.metadata;
    if (!finalizers.includes(cleanupFinalizer)) return;
    await this.#updateStatus(object, withConditions(object, [deletionInProgress], this.#clock));
    const wasServed = isEstablished(object);
    const wait = wasServed ? this.#remaining(object, this.#options.settleMs ?? 0) : 0;
    if (wait > 0) return this.#queue.addAfter(name, wait);
    if (wasServed && !(await this.#deleteInstances(object))) return this.#recheck(object);
    const shown = finalizers.length > 1 ? this.#remaining(object, shownMs) : 0;
    if (shown > 0) return this.#queue.addAfter(name, shown);
    this.#forget(name);
    const present = await this.#get(object);
    if (present === undefined) return;
    const rest = (present.metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer);
    // A single write. After it the definition is removed unless it has other finalizers.
    await this.#patchStatus(present, [
      { op: 'add', path: '/metadata/finalizers', value: rest },
      {
        op: 'add',
        path: '/status',
        value: withConditions(present, [wasServed ? deletionCompleted : neverEstablished], this.#clock),
      },
    ]);
  }

  #forget(name: string): void {
    this.#cleanupAttempts.delete(name);
    this.#ends.delete(name);
  }

  /** The rest of this time since the definition was first seen to be deleted. */
  #remaining({ metadata: { name = '', uid = '' } }: ResourceObject, ms: number): number {
    if (ms === 0) return 0;
    const now = performance.now();
    const known = this.#ends.get(name);
    const { at } = known?.uid === uid ? known : { at: now };
    this.#ends.set(name, { uid, at });
    return at + ms - now;
  }

  #recheck({ metadata: { name = '' } }: ResourceObject): void {
    const attempts = this.#cleanupAttempts.get(name) ?? 0;
    this.#cleanupAttempts.set(name, attempts + 1);
    this.#queue.addAfter(name, delayAfter(attempts, cleanup));
  }

  /** Returns whether no instances are left. */
  #deleteInstances(object: ResourceObject): Promise<boolean> {
    const { group = '', names } = specOf(object);
    return this.#options.deleteInstances({ group, resource: names?.plural ?? '' });
  }

  /** Returns undefined when the definition has changed since. Another run follows then. */
  async #get({ metadata }: ResourceObject): Promise<ResourceObject | undefined> {
    try {
      const present = await this.#client.get(metadata.name ?? '');
      return present.metadata.uid === metadata.uid ? present : undefined;
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return undefined;
      throw error;
    }
  }

  get #client() {
    return this.#options.client.resource(definitionType);
  }
}

const established: CustomResourceDefinitionCondition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};

/** A definition whose conversion webhook cannot be called does not begin to be served. */
function firstEstablished(object: ResourceObject): CustomResourceDefinitionCondition {
  const { caBundle = '' } = specOf(object).conversion?.webhook?.clientConfig ?? {};
  if (isCertificateBundle(caBundle)) return established;
  const message = 'The conversion webhook CABundle is invalid';
  return { type: 'Established', status: 'False', reason: 'InvalidCABundle', message };
}

const notEstablished: CustomResourceDefinitionCondition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};

const deletionInProgress: CustomResourceDefinitionCondition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};

const deletionCompleted: CustomResourceDefinitionCondition = {
  type: 'Terminating',
  status: 'False',
  reason: 'InstanceDeletionCompleted',
  message: 'removed all instances',
};

const neverEstablished: CustomResourceDefinitionCondition = {
  type: 'Terminating',
  status: 'False',
  reason: 'NeverEstablished',
  message: 'resource was never established',
};

/** Whether the definition was changed or deleted meanwhile. It is processed again then. */
function isLostRace(error: Error): boolean {
  const code = error instanceof StatusError ? error.status.code : error instanceof ApiError ? error.code : undefined;
  return code === 409 || code === 404;
}
