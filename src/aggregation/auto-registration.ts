import { ApiError, type Client, type ResourceClient, WorkQueue } from '../client/index.ts';
import type { GroupVersion } from '../meta/group-version.ts';
import { isJsonEqual } from '../meta/json-object.ts';
import { StatusError } from '../meta/status-error.ts';
import { type APIService, type APIServiceSpec, apiServiceName, apiServiceType, groupVersionOf } from './api-service.ts';
import type { ApiServices } from './api-services.ts';

/** Marks the APIServices that the server keeps: those of built-in types are restored at each start, others always. */
const managedLabel = 'kube-aggregator.kubernetes.io/automanaged';
type Managed = 'onstart' | 'true';

const customPriorities = { groupPriorityMinimum: 1000, versionPriority: 100 };

/**
 * Custom types are registered in batches. Definitions are often created in large numbers: their APIServices share
 * commits and do not delay the next definition.
 */
const roundMs = 500;

export interface LocalVersion extends GroupVersion {
  /** Undefined for custom types. */
  readonly priorities: Pick<APIServiceSpec, 'groupPriorityMinimum' | 'versionPriority'> | undefined;
}

export interface AutoRegistrationOptions {
  readonly client: Client;
  /**
   * Creates an APIService. Rejects with a StatusError. A start creates many, so it does without a request for each.
   * Those of built-in types are the same objects for all servers of a process.
   */
  readonly create: (object: APIService, type: 'built-in' | 'custom') => Promise<void>;
  readonly apiServices: ApiServices;
  /** Whether the stored APIService of this name cannot be read. `apiServices` does not contain it. */
  readonly isUnreadable: (name: string) => boolean;
  /** The group versions that this server serves, all or those of one group. */
  readonly served: (group?: string) => readonly LocalVersion[];
  /** Resolves when `served` includes all definitions that any server has written so far. */
  readonly caughtUp: () => Promise<void>;
  readonly report: (error: Error) => void;
}

/**
 * Keeps an APIService for every group version that this server serves. An APIService without the label belongs to a
 * user and is left alone.
 */
export class AutoRegistration {
  readonly #options: AutoRegistrationOptions;
  readonly #objects: ResourceClient<APIService>;
  /** Contains the names of groups. */
  readonly #queue: WorkQueue;
  /** The names of APIServices that could not be read and are gone. */
  readonly #restored = new Set<string>();
  #isStarted = false;

  constructor(options: AutoRegistrationOptions, signal: AbortSignal) {
    const { client, apiServices } = options;
    this.#options = options;
    this.#objects = client.resource<APIService>(apiServiceType);
    const report = (error: Error): void => {
      if (!isRace(error)) options.report(error);
    };
    this.#queue = new WorkQueue((group) => this.#sync(group), { workers: 16, report }, signal);
    apiServices.onChange((_name, current, before) => {
      if (managedBy(current) === 'true' || managedBy(before) === 'true')
        this.groupChanged(specGroup(current ?? before!));
    });
  }

  /**
   * Creates and corrects the APIServices of all types, and removes those of types that are no longer served. Failures
   * are only reported: types are also served without their APIService.
   */
  async start(): Promise<void> {
    const { apiServices, served, caughtUp, report } = this.#options;
    await caughtUp();
    const wanted = new Map(served().map((version) => [apiServiceName(version), version]));
    const obsolete = [...apiServices.all()].filter(
      (object) => managedBy(object) !== undefined && !wanted.has(object.metadata.name ?? ''),
    );
    const work = [
      ...Array.from(wanted, ([name, version]) => retried(() => this.#ensure(name, version))),
      ...obsolete.map((object) => this.#delete(object)),
    ];
    await Promise.all(work.map((each) => each.catch(report)));
    this.#isStarted = true;
    for (const version of served()) if (this.#isMaintained(version)) this.groupChanged(version.group);
  }

  /**
   * An APIService that could not be read has been replaced or removed. If it is missing, it is created again: its
   * deletion was a repair.
   */
  restore(name: string): void {
    this.#restored.add(name);
    this.groupChanged(groupVersionOf(name).group);
  }

  /** The custom types of a group, or their APIServices, have changed. */
  groupChanged(group: string): void {
    if (this.#isStarted) this.#queue.addAfter(group, roundMs - (performance.now() % roundMs));
  }

  async #sync(group: string): Promise<void> {
    const { served, caughtUp } = this.#options;
    for (const version of served(group)) {
      if (!this.#isMaintained(version)) continue;
      const name = apiServiceName(version);
      await this.#ensure(name, version);
      this.#restored.delete(name);
    }
    if (this.#obsolete(group).length === 0) return;
    // Another server may have registered a type that this server has not received yet.
    await caughtUp();
    for (const object of this.#obsolete(group)) await this.#delete(object);
  }

  /** The APIServices of built-in types are otherwise only created at the start. */
  #isMaintained(version: LocalVersion): boolean {
    return version.priorities === undefined || this.#restored.has(apiServiceName(version));
  }

  #obsolete(group: string): APIService[] {
    const { apiServices, served } = this.#options;
    const names = new Set(served(group).map(apiServiceName));
    return [...apiServices.all()].filter(
      (object) => managedBy(object) === 'true' && specGroup(object) === group && !names.has(object.metadata.name ?? ''),
    );
  }

  async #ensure(name: string, { group, version, priorities }: LocalVersion): Promise<void> {
    // An unreadable APIService can neither be created nor corrected before it has been deleted.
    if (this.#options.isUnreadable(name)) return;
    const current = this.#options.apiServices.get(name);
    const spec = { ...(group !== '' && { group }), version, ...(priorities ?? customPriorities) };
    if (current === undefined) {
      if (priorities === undefined) await this.#options.create(apiService(name, 'true', spec), 'custom');
      else await this.#options.create(builtInService(name, spec), 'built-in');
    } else if (managedBy(current) !== undefined && !isJsonEqual(current.spec, spec)) {
      await this.#objects.update({ ...current, spec });
    }
  }

  async #delete({ metadata: { name = '', uid = '' } }: APIService): Promise<void> {
    try {
      await this.#objects.delete(name, {}, { preconditions: { uid } });
    } catch (error) {
      if (!isRace(error)) throw error;
    }
  }
}

function apiService(name: string, managed: Managed, spec: APIServiceSpec): APIService {
  return { metadata: { name, labels: { [managedLabel]: managed } }, spec };
}

/** Keyed by name. The versions of built-in types are few, and always the same. */
const builtInServices = new Map<string, APIService>();

function builtInService(name: string, spec: APIServiceSpec): APIService {
  const service = builtInServices.get(name) ?? apiService(name, 'onstart', spec);
  builtInServices.set(name, service);
  return service;
}

function managedBy(object: APIService | undefined): Managed | undefined {
  const value = object?.metadata.labels?.[managedLabel];
  return value === 'onstart' || value === 'true' ? value : undefined;
}

function specGroup({ spec }: APIService): string {
  return spec.group ?? '';
}

/** The object was written concurrently. */
function isRace(error: unknown): boolean {
  const code = error instanceof StatusError ? error.status.code : error instanceof ApiError ? error.code : 0;
  return code === 409 || code === 404;
}

/** Retry once after a conflict. After a second conflict, the other writer wins. */
async function retried(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isRace(error)) throw error;
    await work().catch((again) => {
      if (!isRace(again)) throw again;
    });
  }
}
