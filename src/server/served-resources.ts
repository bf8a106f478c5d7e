import type { TokenIssuer } from '../authn/index.ts';
import type { KeptObject } from '../controllers/index.ts';
import type { Meter } from '../meta/meter.ts';
import { MeteredStorage } from '../metrics/index.ts';
import { type FindDecoded, type ResourceDefinition, ResourceSet } from '../registry/index.ts';
import { builtInKind, builtInResources, optionalResources } from '../resources/index.ts';
import {
  parseNodePortRange,
  type parseServiceRanges,
  ServiceTransactions,
  SharedServiceClaims,
} from '../service-addresses/index.ts';
import type { Storage } from '../storage/index.ts';
import { CachedObjectStore, type CorruptObject, RecentBytes, StoreMetrics } from '../store/index.ts';
import { virtualResources } from '../virtual/index.ts';
import type { ReviewToken } from '../virtual/reviews/index.ts';
import { admissionChain } from './admission/admission-chain.ts';
import type { AdmissionConfiguration } from './admission/admission-configuration.ts';
import type { CorruptObjects } from './corrupt-objects.ts';
import type { OptionFiles } from './files/option-files.ts';
import type { Permissions } from './identity/permissions.ts';
import { NamespaceContents } from './namespace-contents.ts';
import { ObjectCounts } from './object-counts.ts';
import type { ResolvedOptions } from './options.ts';

/** The maximum size of the cache of encoded lists, in bytes. */
const encodedListBudget = 64 * 1024 * 1024;

export interface ServedResourcesDependencies {
  readonly options: ResolvedOptions;
  readonly files: OptionFiles;
  readonly definitions: readonly ResourceDefinition[];
  readonly storage: Storage;
  /** Records objects that cannot be read. */
  readonly corrupt: CorruptObjects;
  /** The IP ranges of services. */
  readonly ranges: ReturnType<typeof parseServiceRanges>;
  readonly permissions: Permissions;
  readonly admissionConfiguration: AdmissionConfiguration;
  readonly issuer: TokenIssuer;
  readonly reviewToken: ReviewToken;
  /** Objects that controllers maintain in every namespace. */
  readonly kept: readonly KeptObject[];
  readonly findDecoded: FindDecoded | undefined;
  readonly meter: Meter;
  /** Abort it to end the calls of webhooks. */
  readonly stopCalls: AbortSignal;
  /** Stops the caches. */
  readonly signal: AbortSignal;
}

/** Builds the served types on the storage, with admission and allocation of service addresses. */
export function servedResources(dependencies: ServedResourcesDependencies): ResourceSet {
  const { options, definitions, storage, corrupt, ranges, permissions, issuer, reviewToken, kept, meter, signal } =
    dependencies;
  const { modes: authorizer } = permissions;
  const encoded = new RecentBytes(encodedListBudget);
  const counts = new ObjectCounts(meter, storage);
  const virtual = virtualResources({
    storage,
    tokens: issuer,
    compatibility: options.compatibility,
    reviews: { authorizer, rules: authorizer, reviewToken, clock: options.clock },
  });
  return new ResourceSet({
    definitions,
    unserved: [...builtInResources, ...optionalResources].filter((definition) => !definitions.includes(definition)),
    knownKind: builtInKind,
    openStore: (prefix, type, typeSignal) => {
      const onCorrupt = (objects: readonly CorruptObject[]): void =>
        corrupt.update({ prefix, type: type.resource }, objects);
      const metered = new MeteredStorage(storage, meter, type.resource);
      let metrics: StoreMetrics | undefined;
      let ended: AbortSignal | undefined;
      const store = new CachedObjectStore({
        storage: metered,
        prefix,
        ...type,
        encoded,
        onCorrupt,
        // Created on first use: most types are never used, and creating all series would take a fifth of the start
        // time.
        get metrics() {
          metrics ??= new StoreMetrics(meter, type.resource);
          return metrics;
        },
        clock: options.clock,
        get signal() {
          ended ??= typeSignal === undefined ? signal : AbortSignal.any([signal, typeSignal]);
          return ended;
        },
      });
      counts.add({ ...type.resource, prefix, store, signal: typeSignal });
      return store;
    },
    admission: (set) => admissionChain(set, dependencies),
    transactions: ({ group, resource }, set) => {
      if (group !== '') return undefined;
      if (resource === 'namespaces' && kept.length > 0) {
        const onError = (err: Error): void =>
          options.log.error('the objects of a namespace cannot be created', { err });
        return new NamespaceContents({ resources: set, kept, onError });
      }
      if (resource !== 'services') return undefined;
      const shared = hasSeveralWriters(dependencies) ? sharedServiceClaims(set, dependencies) : undefined;
      const nodePorts = parseNodePortRange(options.serviceNodePortRange);
      const random = (): number => options.identity.integer(2 ** 32, 'services') / 2 ** 32;
      return new ServiceTransactions({ resources: set, ranges, nodePorts, random, shared });
    },
    findDecoded: dependencies.findDecoded,
    clock: options.clock,
    identity: options.identity,
    compatibility: options.compatibility,
    virtual: virtual.resource,
    subresource: virtual.subresource,
  });
}

/** Whether other servers or other threads of this one also write the store. */
export function hasSeveralWriters({
  options,
  storage,
}: Pick<ServedResourcesDependencies, 'options' | 'storage'>): boolean {
  return storage.watchesLag || options.passesLargeRequests;
}

/** The allocations of services in a store that other servers or threads also write. */
export function sharedServiceClaims(
  resources: ResourceSet,
  { options, storage }: Pick<ServedResourcesDependencies, 'options' | 'storage'>,
): SharedServiceClaims {
  const nodePorts = parseNodePortRange(options.serviceNodePortRange);
  const report = (err: Error): void => options.log.error('service addresses must be repaired', { err });
  return new SharedServiceClaims({ resources, storage, nodePorts, report });
}
