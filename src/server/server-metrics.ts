import { buildInfo, versionInfo } from '../http/discovery/index.ts';
import type { HealthChecksOptions } from '../http/health/index.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import { type Meter, noMeter } from '../meta/meter.ts';
import {
  MetricsEndpoint,
  MetricsRegistry,
  type MetricsSnapshot,
  measureHealth,
  measureProcess,
  type OtherThreadMetrics,
} from '../metrics/index.ts';
import type { Storage, StorageObserver } from '../storage/index.ts';
import type { FeatureGates } from './feature-gates.ts';
import type { ResolvedOptions } from './options.ts';
import { storeBytes } from './server-status.ts';

export interface ServerMetricsOptions {
  readonly options: ResolvedOptions;
  readonly dataDir: string | undefined;
  readonly store: Pick<Storage, 'databaseBytes' | 'observe'>;
  /** Undefined when metrics are off. */
  readonly registry: MetricsRegistry | undefined;
  /** Set for a server with several threads. */
  readonly others?: OtherThreadMetrics | undefined;
  readonly signal: AbortSignal;
}

/** The metrics of a server, and the endpoints that serve them. */
export class ServerMetrics {
  readonly meter: Meter;
  /** Empty when metrics are off. */
  readonly endpoints: readonly MetricsEndpoint[];
  readonly onHealthOutcome: NonNullable<HealthChecksOptions['onOutcome']>;
  readonly onHandshakeError: () => void;
  readonly #registries: Readonly<Record<string, MetricsRegistry>>;

  constructor({ options, dataDir, store, registry, others, signal }: ServerMetricsOptions) {
    const { profiling, featureGates } = options;
    if (registry === undefined) {
      this.meter = noMeter;
      this.endpoints = [];
      this.onHealthOutcome = () => {};
      this.onHandshakeError = () => {};
      this.#registries = {};
      return;
    }
    // A separate registry, so that it can be read often and cheaply.
    const indicators = new MetricsRegistry();
    this.meter = registry;
    this.#registries = { '/metrics': registry, '/metrics/slis': indicators };
    this.endpoints = [
      new MetricsEndpoint({ registries: this.#registries, allowsReset: profiling, otherThreads: others }),
    ];
    this.onHealthOutcome = measureHealth(indicators);
    const handshakeErrors = registry
      .counter({
        name: 'apiserver_tls_handshake_errors_total',
        help: 'TLS handshakes that failed or took too long.',
        labels: [],
      })
      .of();
    this.onHandshakeError = () => handshakeErrors.add();
    measureProcess(registry, signal);
    if (options.storage === 'embedded' && dataDir !== undefined) {
      measureStore(registry, 'embedded', () => storeBytes(dataDir));
    } else if (store.databaseBytes !== undefined) {
      measureStore(registry, 'etcd-0', () => store.databaseBytes!());
    }
    store.observe?.(etcdObserver(registry));
    describeBuild(registry);
    describeFeatures(registry, featureGates);
  }

  /** Returns the metrics of this thread, for another thread. */
  async snapshot(path: string): Promise<MetricsSnapshot> {
    return (await this.#registries[path]?.snapshot()) ?? [];
  }

  reset(path: string): void {
    this.#registries[path]?.reset();
  }
}

function measureStore(meter: Meter, id: string, read: () => MaybePromise<number>): void {
  const size = meter
    .gauge({
      name: 'apiserver_storage_size_bytes',
      help: 'Size of the database of the store, in bytes.',
      labels: ['storage_cluster_id'],
      together: 'same',
    })
    .of(id);
  meter.beforeReading(async () => size.set(await read()));
}

/** Reports calls to etcd and its leases, under the names of kube-apiserver. */
function etcdObserver(meter: Meter): StorageObserver {
  const bookmarks = meter
    .counter({ name: 'etcd_bookmark_counts', help: 'Reports of progress without an event.', labels: [] })
    .of();
  const keys = meter
    .histogram({
      name: 'etcd_lease_object_counts',
      help: 'Objects that have got the same lease.',
      labels: [],
      buckets: [10, 50, 100, 500, 1000, 2500, 5000],
    })
    .of();
  return { progressed: () => bookmarks.add(), leaseFilled: (count) => keys.observe(count) };
}

function describeBuild(meter: Meter): void {
  const { major, minor, gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform } = versionInfo(
    buildInfo(),
  ) as Readonly<Record<string, string>>;
  const labels = {
    major,
    minor,
    git_version: gitVersion,
    git_commit: gitCommit,
    git_tree_state: gitTreeState,
    build_date: buildDate,
    go_version: goVersion,
    compiler,
    platform,
  };
  meter
    .gauge({
      name: 'kubernetes_build_info',
      help: 'The version of the server, in its labels.',
      labels: Object.keys(labels),
      together: 'same',
    })
    .of(...Object.values(labels).map(String))
    .set(1);
}

/** Gates that are off by default are alpha. Gates that can be disabled are beta. */
const stages: Readonly<Partial<Record<keyof FeatureGates, string>>> = {
  APIResponseCompression: 'BETA',
  AllowUnsafeMalformedObjectDeletion: 'ALPHA',
  CBORServingAndStorage: 'ALPHA',
};

function describeFeatures(meter: Meter, gates: FeatureGates): void {
  const enabled = meter.gauge({
    name: 'kubernetes_feature_enabled',
    help: 'Feature gates: 1 when they are on.',
    labels: ['name', 'stage'],
    together: 'same',
  });
  for (const [name, isOn] of Object.entries(gates)) {
    enabled.of(name, stages[name as keyof FeatureGates] ?? '').set(isOn ? 1 : 0);
  }
}
