import { buildInfo, versionInfo } from '../http/discovery/index.ts';
import type { HealthChecksOptions } from '../http/health/index.ts';
import { type Meter, noMeter } from '../meta/meter.ts';
import { MetricsEndpoint, MetricsRegistry, measureHealth, measureProcess } from '../metrics/index.ts';
import type { FeatureGates } from './feature-gates.ts';
import type { ResolvedOptions } from './options.ts';

/** The numbers of a server, and where they are read. */
export class ServerMetrics {
  readonly meter: Meter;
  /** None when no numbers are kept. */
  readonly endpoints: readonly MetricsEndpoint[];
  readonly onHealthOutcome: NonNullable<HealthChecksOptions['onOutcome']>;
  readonly onHandshakeError: () => void;

  constructor({ enableMetrics, profiling, featureGates }: ResolvedOptions, signal: AbortSignal) {
    if (!enableMetrics) {
      this.meter = noMeter;
      this.endpoints = [];
      this.onHealthOutcome = () => {};
      this.onHandshakeError = () => {};
      return;
    }
    const registry = new MetricsRegistry();
    // Apart, so that it can be read often and cheaply.
    const indicators = new MetricsRegistry();
    this.meter = registry;
    const registries = { '/metrics': registry, '/metrics/slis': indicators };
    this.endpoints = [new MetricsEndpoint({ registries, allowsReset: profiling })];
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
    describeBuild(registry);
    describeFeatures(registry, featureGates);
  }
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
    })
    .of(...Object.values(labels).map(String))
    .set(1);
}

/** Gates that are off by default are alpha. Those that can be switched off are beta. */
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
  });
  for (const [name, isOn] of Object.entries(gates)) {
    enabled.of(name, stages[name as keyof FeatureGates] ?? '').set(isOn ? 1 : 0);
  }
}
