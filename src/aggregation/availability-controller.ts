import { ApiError, type Client, delayAfter, InformerFactory, WorkQueue } from '../client/index.ts';
import { type Clock, systemClock, timestamp } from '../meta/clock.ts';
import { isJsonEqual } from '../meta/json-object.ts';
import {
  type APIService,
  type APIServiceCondition,
  apiServiceType,
  isRemote,
  type RemoteAPIService,
  type ServiceReference,
} from './api-service.ts';
import type { ApiServices } from './api-services.ts';
import { type Availability, localAvailability } from './availability-check.ts';

/** How often a server is checked although no object has changed. */
const recheckMs = 30_000;
/** The backoff after failed checks. It is short, so that a server that has just started is found soon. */
const failedBackoff = { initialMs: 100, maxMs: recheckMs };

const endpointSlices = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };
const namedLikeService = [
  { group: '', version: 'v1', resource: 'services' },
  { group: '', version: 'v1', resource: 'endpoints' },
];

export interface AvailabilityControllerOptions {
  readonly client: Client;
  readonly apiServices: ApiServices;
  readonly check: (apiService: RemoteAPIService) => Promise<Availability>;
  /**
   * How long the result of another writer is kept before it is checked. Servers of a shared store with different
   * results would otherwise overwrite each other endlessly. Default: 0.
   */
  readonly remoteVerdictTtlMs?: number;
  readonly report: (error: Error) => void;
  /** The clock for the condition. Default: that of the machine. */
  readonly clock?: Clock;
}

interface CheckedService {
  /** Identifies the followed service. */
  readonly id: string;
  readonly release: () => void;
}

/** Maintains the condition `Available` of all APIServices. */
export class AvailabilityController {
  readonly #options: AvailabilityControllerOptions;
  readonly #queue: WorkQueue;
  readonly #informers: InformerFactory;
  /** Keyed by the name of the APIService. */
  readonly #followed = new Map<string, CheckedService>();
  readonly #results = new Map<string, Availability>();
  readonly #failures = new Map<string, number>();

  /** Starts with all APIServices that are known already. */
  constructor(options: AvailabilityControllerOptions, signal: AbortSignal) {
    const { client, apiServices, report } = options;
    this.#options = options;
    this.#informers = new InformerFactory({ client, report, signal });
    const reportFailure = (error: Error): void => {
      if (!isLostRace(error)) report(error);
    };
    this.#queue = new WorkQueue((name) => this.#reconcile(name), { report: reportFailure }, signal);
    apiServices.onChange((name, current, before) => this.#changed(name, current, before));
    for (const object of apiServices.all()) this.#changed(object.metadata.name ?? '', object, undefined);
  }

  /** A request has failed, so that the server may have become unavailable. */
  recheck(name: string): void {
    this.#queue.add(name);
  }

  #changed(name: string, current: APIService | undefined, before: APIService | undefined): void {
    this.#follow(name, current !== undefined && isRemote(current) ? current.spec.service : undefined);
    if (current === undefined) {
      this.#results.delete(name);
      this.#failures.delete(name);
    } else if (before === undefined || !isJsonEqual(checked(current), checked(before))) {
      this.#queue.add(name);
    } else if (!isSame(conditionOf(current), this.#results.get(name))) {
      this.#queue.addAfter(name, this.#options.remoteVerdictTtlMs ?? 0);
    }
  }

  /** Follows the objects that define the location of the service. */
  #follow(name: string, service: ServiceReference | undefined): void {
    const known = this.#followed.get(name);
    const id = service && `${service.namespace}/${service.name}`;
    if (known?.id === id) return;
    known?.release();
    if (service === undefined || id === undefined) {
      this.#followed.delete(name);
      return;
    }
    const { namespace } = service;
    const informers = [
      ...namedLikeService.map((type) =>
        this.#informers.informer(type, { namespace, selectors: { fieldSelector: `metadata.name=${service.name}` } }),
      ),
      this.#informers.informer(endpointSlices, {
        namespace,
        selectors: { labelSelector: `kubernetes.io/service-name=${service.name}` },
      }),
    ];
    const recheck = (): void => this.#queue.add(name);
    const removers = informers.map((each) => each.addHandler({ added: recheck, updated: recheck, deleted: recheck }));
    const release = (): void => {
      for (const remove of removers) remove();
      for (const informer of informers) this.#informers.release(informer);
    };
    this.#followed.set(name, { id, release });
  }

  async #reconcile(name: string): Promise<void> {
    const { apiServices, check } = this.#options;
    const apiService = apiServices.get(name);
    if (apiService === undefined) return;
    if (!isRemote(apiService)) return this.#write(name, apiService, localAvailability);
    const result = await check(apiService);
    // During the check, the object may have been changed or deleted.
    const current = apiServices.get(name);
    if (current === undefined || !isJsonEqual(current.spec, apiService.spec)) return;
    await this.#write(name, current, result);
    const failures = result.reason === 'FailedDiscoveryCheck' ? (this.#failures.get(name) ?? 0) : undefined;
    if (failures === undefined) this.#failures.delete(name);
    else this.#failures.set(name, failures + 1);
    this.#queue.addAfter(name, failures === undefined ? recheckMs : delayAfter(failures, failedBackoff));
  }

  /** Writes the condition only if it changes. */
  async #write(name: string, apiService: APIService, result: Availability): Promise<void> {
    this.#results.set(name, result);
    const before = conditionOf(apiService);
    if (isSame(before, result)) return;
    const since = before?.status === result.status ? before.lastTransitionTime : undefined;
    const condition = {
      type: 'Available',
      lastTransitionTime: since ?? timestamp(this.#options.clock ?? systemClock),
      ...result,
    };
    const conditions = apiService.status?.conditions ?? [];
    const next =
      before === undefined ? [...conditions, condition] : conditions.map((one) => (one === before ? condition : one));
    await this.#options.client
      .resource<APIService>(apiServiceType)
      .update({ ...apiService, status: { ...apiService.status, conditions: next } }, { subresource: 'status' });
  }
}

/** The fields whose change triggers a new check. */
function checked({ spec, metadata: { uid, labels, annotations } }: APIService): unknown[] {
  return [spec, uid, labels, annotations];
}

function conditionOf({ status }: APIService): APIServiceCondition | undefined {
  return status?.conditions?.find(({ type }) => type === 'Available');
}

function isSame(condition: APIServiceCondition | undefined, result: Availability | undefined): boolean {
  return (
    condition !== undefined &&
    condition.status === result?.status &&
    condition.reason === result.reason &&
    condition.message === result.message
  );
}

function isLostRace(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 409 || error.code === 404);
}
