import {
  ensureKubernetesService,
  ensureSystemNamespaces,
  ensureSystemPriorityClasses,
  type KubernetesService,
  moveKubernetesService,
} from '../bootstrap/bootstrap-objects.ts';
import type { CreateDefault } from '../bootstrap/ensure-object.ts';
import { ensureKubernetesEndpoints, moveKubernetesEndpoints } from '../bootstrap/kubernetes-endpoints.ts';
import type { ChangeObject } from '../bootstrap/move-object.ts';
import { ensureBootstrapPolicy } from '../bootstrap/policy/index.ts';
import type { Client } from '../client/index.ts';
import type { ResourceSet } from '../registry/index.ts';
import { ensureDefaultServiceCidr, type parseServiceRanges, serviceAddress } from '../service-addresses/index.ts';
import type { Storage } from '../storage/index.ts';
import type { Aggregation } from './aggregation.ts';
import type { ServerFlowControl } from './flow-control.ts';
import type { ResolvedOptions } from './options.ts';
import type { SharedStoreTasks } from './shared-store-tasks.ts';

interface PostStartOptions {
  readonly options: ResolvedOptions;
  readonly resources: ResourceSet;
  readonly storage: Storage;
  readonly aggregation: Aggregation;
  readonly flowControl: ServerFlowControl;
  readonly ranges: ReturnType<typeof parseServiceRanges>;
  readonly createDefault: CreateDefault | undefined;
  /** Publishes the certificates that the server trusts. */
  readonly publishTrust: () => Promise<void>;
  /** The address that clients in the cluster use. */
  readonly advertised: string | undefined;
  /** Whether the store is a copy of that of another server. */
  readonly isCopy: boolean;
  readonly loading: LoadedAtStart;
  /** Allocates what stored services use. Undefined when their only writer does that before its first write. */
  readonly completeServiceAddresses: (() => Promise<void>) | undefined;
  /** Whether the server has a Lease, by which other servers of the store know it. */
  readonly hasLease: boolean;
  // The client is available when the hooks run.
  readonly client: () => Client;
  readonly port: () => number;
  readonly sharedStoreTasks: () => SharedStoreTasks | undefined;
  /** Ends the hooks. */
  readonly signal: AbortSignal;
}

/** What is read before a server listens. */
export interface LoadedAtStart {
  /** The configuration objects of admission plugins. */
  readonly admission: Promise<void>;
  /** The definitions of custom types, which are served then. */
  readonly definitions: Promise<{ readonly start: () => void }>;
  readonly apiServices: Promise<void>;
}

/**
 * The work between accepting requests and being ready, by the names of the health checks and in the order in which
 * kube-apiserver lists them.
 */
export function postStartHooks({
  options,
  resources,
  storage,
  aggregation,
  flowControl,
  ranges,
  createDefault,
  publishTrust,
  advertised,
  isCopy,
  loading,
  completeServiceAddresses,
  hasLease,
  client,
  port,
  sharedStoreTasks,
  signal,
}: PostStartOptions) {
  let aggregating: Promise<void> | undefined;
  const aggregate = (): Promise<void> => {
    aggregating ??= aggregation.start(client(), createDefault);
    return aggregating;
  };
  const followApiServices = (): Promise<void> => loading.apiServices;
  const register = async (): Promise<void> => {
    await ensureSystemNamespaces(client());
    await sharedStoreTasks()!.register();
  };
  return {
    'start-apiserver-admission-initializer': () => loading.admission,
    ...flowControl.hooks.consumer,
    'start-apiextensions-controllers': async () => (await loading.definitions).start(),
    'crd-informer-synced': async () => void (await loading.definitions),
    'start-system-namespaces-controller': () => ensureSystemNamespaces(client(), createDefault),
    'start-cluster-authentication-info-controller': publishTrust,
    ...(hasLease && {
      'start-kube-apiserver-identity-lease-controller': register,
      'start-kube-apiserver-identity-lease-garbage-collector': register,
    }),
    'storage-readiness': async () => void (await storage.probe(signal)),
    ...(completeServiceAddresses && { 'start-service-ip-repair-controllers': completeServiceAddresses }),
    'rbac/bootstrap-roles': () =>
      ensureBootstrapPolicy({ client: client(), objects: resources.current, create: createDefault }),
    'scheduling/bootstrap-system-priority-classes': () => ensureSystemPriorityClasses(client(), createDefault),
    ...flowControl.hooks.producer,
    'bootstrap-controller': async () => {
      const service = { port: port(), ip: serviceAddress(ranges) };
      const shared = sharedStoreTasks();
      if (isCopy && shared === undefined && (await moveCopy(resources, service, advertised))) return;
      await ensureSystemNamespaces(client());
      await ensureKubernetesService(client(), service);
      if (shared !== undefined) await shared.announce();
      else if (advertised !== undefined) {
        await ensureKubernetesEndpoints(client(), { ip: advertised, port: service.port });
      }
    },
    'start-kubernetes-service-cidr-controller': () => ensureDefaultServiceCidr(client(), ranges, options.clock),
    'start-kube-aggregator-informers': followApiServices,
    'apiservice-status-local-available-controller': aggregate,
    'apiservice-status-remote-available-controller': aggregate,
    'apiservice-registration-controller': followApiServices,
    'apiservice-discovery-controller': followApiServices,
    'kube-apiserver-autoregistration': aggregate,
    'apiservice-openapi-controller': followApiServices,
    'apiservice-openapiv3-controller': followApiServices,
  };
}

type Hooks = Readonly<Record<string, () => Promise<void>>>;

/** A copied store already contains the objects of these hooks. */
const copied = [
  'start-system-namespaces-controller',
  'start-cluster-authentication-info-controller',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'start-kubernetes-service-cidr-controller',
];

/**
 * The copy of a store contains the address of another server. Resolves with true if it now contains the address of this
 * server.
 */
async function moveCopy(resources: ResourceSet, service: KubernetesService, ip: string | undefined): Promise<boolean> {
  const change: ChangeObject = (type, item, next) => resources.update(type, item, next);
  if (!(await moveKubernetesService(change, service))) return false;
  return ip === undefined || moveKubernetesEndpoints(change, { ip, port: service.port });
}

/** Adapts the hooks to a copy of a store, which already contains most of their objects. */
export function hooksInCopy<T extends Hooks>(hooks: T): T {
  return { ...hooks, ...Object.fromEntries(copied.map((name) => [name, () => Promise.resolve()])) };
}

/** The hooks for an additional thread. The first thread has run them, but the health checks must be the same. */
export function finishedHooks(hooks: Readonly<Record<string, unknown>>): Record<string, () => Promise<void>> {
  return Object.fromEntries(Object.keys(hooks).map((name) => [name, () => Promise.resolve()]));
}

/** Makes hooks wait until the storage versions of this server are updated, because writes are rejected before that. */
export function afterStorageVersions(hooks: Hooks, update: () => Promise<void>): Hooks {
  let updated: Promise<void> | undefined;
  const updateOnce = (): Promise<void> => {
    updated ??= update();
    return updated;
  };
  const waiting = Object.entries(hooks).map(([name, run]) => [name, () => updateOnce().then(run)] as const);
  return { ...Object.fromEntries(waiting), 'built-in-resources-storage-version-updater': updateOnce };
}
