import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { parseAllowedOrigins } from '../http/filters/cross-origin.ts';
import { type Clock, systemClock } from '../meta/clock.ts';
import type { Compatibility, CompatibilityName } from '../meta/compatibility.ts';
import { type IdentitySource, randomIdentity } from '../meta/identity-source.ts';
import { type Logger, silentLogger } from '../meta/logger.ts';
import { type EnabledPlugins, enabledPlugins, type PluginOptions } from './admission/enabled-plugins.ts';
import { type AuditOptions, auditLogOptions } from './audit-options.ts';
import { decisionsOf } from './compatibility-options.ts';
import { checkEtcdOptions, type EtcdOptions, etcdDefaults } from './etcd-options.ts';
import { checkExistingDataOptions, type ExistingDataOptions } from './existing-data-options.ts';
import { type FeatureGates, parseFeatureGates } from './feature-gates.ts';
import {
  type AuthenticationOptions,
  type AuthorizationOptions,
  checkIdentityOptions,
  identityDefaults,
  type SigningOptions,
} from './identity-options.ts';
import { checkKubeletOptions, type KubeletOptions, kubeletDefaults } from './kubelet-options.ts';
import { checkObservationOptions, type ObservationOptions, observationDefaults } from './observation-options.ts';

/** Options that make runs of a server repeatable. Only for programs: there are no flags. */
interface RepeatableOptions {
  /** The clock for times in objects and for delayed work. Default: the system clock. */
  readonly clock?: Clock;
  /** The source of uids, generated names and similar. Random by default. */
  readonly identity?: IdentitySource;
}

/** Options of a server. The command line has a flag for each. */
export interface ServerOptions
  extends AuthenticationOptions,
    AuthorizationOptions,
    SigningOptions,
    AuditOptions,
    KubeletOptions,
    ObservationOptions,
    EtcdOptions,
    ExistingDataOptions,
    RepeatableOptions,
    PluginOptions {
  /** The storage of objects: durable in the data directory, in memory until the server stops, or in etcd. */
  readonly storage?: 'embedded' | 'memory' | 'etcd';
  /**
   * Number of threads that answer requests. A write that one thread has answered is visible to later requests on all
   * threads. `auto` allows one per core, at most 8: the server begins with one and starts others when it is busy. Writes
   * of large objects have a thread of their own. By default the calling thread does everything, and such a write delays
   * the other requests.
   */
  readonly threads?: number | 'auto';
  /**
   * The directory of the store, the certificates and the admin kubeconfig. Memory storage needs none: without it
   * nothing is written to disk. Default with other storage: `./.keelson`.
   */
  readonly dataDir?: string;
  /** File with an EncryptionConfiguration (YAML): how objects are encrypted in storage. */
  readonly encryptionProviderConfig?: string;
  /** Whether that file is reloaded when it changes. */
  readonly encryptionProviderConfigAutomaticReload?: boolean;
  readonly bindAddress?: string;
  /**
   * The address at which other machines reach the server. By default the bind address, or an address of this machine.
   */
  readonly advertiseAddress?: string;
  /** 0 selects a free port. */
  readonly securePort?: number;
  /** Port for health checks over plain HTTP, which are answered by a dedicated thread. */
  readonly healthPort?: number;
  /** The IP address on which that port is open; `127.0.0.1` by default. */
  readonly healthBindAddress?: string;
  /** PEM files with a serving certificate and its key. */
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly tlsMinVersion?: 'VersionTLS12' | 'VersionTLS13';
  /** Names as in Go. By default all suites with forward secrecy and authenticated encryption. */
  readonly tlsCipherSuites?: readonly string[];
  /** Regular expressions for the origins of web pages that may use the server. None by default. */
  readonly corsAllowedOrigins?: readonly string[];
  /** Serves the web console below `/console/`: to all clients, or only to those on this machine. False by default. */
  readonly console?: boolean | 'loopback';
  /** How long old revisions are kept, in milliseconds; 0 keeps them forever. Not for etcd. */
  readonly compactionRetentionMs?: number;
  readonly requestTimeoutMs?: number;
  /** Watches without a timeout end after a random time between this and twice as long. */
  readonly minRequestTimeoutSeconds?: number;
  readonly http2MaxStreamsPerConnection?: number;
  /** The maximum number of connections from one address. */
  readonly maxConnectionsPerClient?: number;
  /** Maximum numbers of concurrent reads and writes. Their sum is the number of seats of priority and fairness. */
  readonly maxRequestsInFlight?: number;
  readonly maxMutatingRequestsInFlight?: number;
  /** Whether flow schemas and priority levels are used. Otherwise only the number of requests is limited. */
  readonly enablePriorityAndFairness?: boolean;
  /** The time after the start during which unfinished startup checks do not fail `/livez`. */
  readonly livezGracePeriodMs?: number;
  /** How long a stopping server keeps serving while `/readyz` already fails. */
  readonly shutdownDelayMs?: number;
  /** The IP range of services: one CIDR, or one per family separated by a comma. */
  readonly serviceClusterIpRange?: string;
  /** The range of node ports, such as `30000-32767`. */
  readonly serviceNodePortRange?: string;
  /**
   * Whether containers may be privileged. True by default, because no containers run here; with the compatibility
   * `kubernetes` false.
   */
  readonly allowPrivileged?: boolean;
  /** Reports what admission changes and rejects: in a header to users who may review access, and in the audit log. */
  readonly explainAdmission?: boolean;
  /** How long events are kept after their last write, in milliseconds; 0 keeps them forever. */
  readonly eventTtlMs?: number;
  /**
   * What decides where the specification of this server and kube-apiserver differ. Options for single differences, such
   * as `postCreateStatus`, take precedence. Default: `specification`.
   */
  readonly compatibility?: CompatibilityName;
  /** The HTTP status of a successful POST. */
  readonly postCreateStatus?: 200 | 201;
  /**
   * The controllers to run, by their names in kube-controller-manager: `*` enables all that are not named, `x` enables
   * x, `-x` disables it. All by default.
   */
  readonly controllers?: readonly string[];
  /** The format is that of the flag: `A=true,B=false`. */
  readonly featureGates?: string;
  /** The format is that of the flag: `apps/v1=false`. */
  readonly runtimeConfig?: string;
  /** Serves `/keelson/faults`, the fault injection API for tests. Not for production. */
  readonly enableTestApi?: boolean;
  /** Receives log messages; silent by default. */
  readonly log?: Logger;
}

export type ResolvedOptions = Required<Pick<ServerOptions, Defaulted>> &
  Omit<ServerOptions, Defaulted | Resolved> & {
    /** The effective decisions: those of the profile and of the options for single ones. */
    readonly compatibility: Compatibility;
    /** Whether anonymous access was requested, or is the default of the profile, and is disabled all the same. */
    readonly resetsAnonymous: boolean;
    /** The maximum number of threads that answer requests. */
    readonly threads: number;
    /** Whether writes of large objects are passed to a thread of their own. */
    readonly passesLargeRequests: boolean;
    /** Whether additional threads are started when the server is busy, not at its start. */
    readonly startsThreadsOnDemand: boolean;
    readonly featureGates: FeatureGates;
    readonly admissionPlugins: EnabledPlugins;
  };

/** Options with a default value. */
type Defaulted = keyof typeof defaults | 'storage' | 'requestTimeoutMs';

/** Options that are replaced by what they mean. */
type Resolved =
  | 'threads'
  | 'featureGates'
  | 'enableAdmissionPlugins'
  | 'disableAdmissionPlugins'
  | 'compatibility'
  | 'postCreateStatus'
  | 'allowPrivileged';

const maxThreads = 32;
const maxAutomaticThreads = 8;

const defaults = {
  encryptionProviderConfigAutomaticReload: false,
  bindAddress: '127.0.0.1',
  healthBindAddress: '127.0.0.1',
  securePort: 0,
  console: false,
  compactionRetentionMs: 5 * 60_000,
  minRequestTimeoutSeconds: 1800,
  http2MaxStreamsPerConnection: 250,
  maxConnectionsPerClient: 2000,
  maxRequestsInFlight: 400,
  maxMutatingRequestsInFlight: 200,
  enablePriorityAndFairness: true,
  livezGracePeriodMs: 0,
  shutdownDelayMs: 0,
  controllers: ['*'],
  corsAllowedOrigins: [] as readonly string[],
  runtimeConfig: '',
  serviceClusterIpRange: '10.96.0.0/16',
  serviceNodePortRange: '30000-32767',
  explainAdmission: false,
  enableTestApi: false,
  eventTtlMs: 60 * 60_000,
  log: silentLogger,
  ...identityDefaults,
  ...kubeletDefaults,
  ...observationDefaults,
  ...etcdDefaults,
  clock: systemClock,
  identity: randomIdentity,
};

/** Throws a RangeError for options that are invalid or contradict each other. */
export function resolveOptions(options: ServerOptions): ResolvedOptions {
  const { storage = 'embedded', requestTimeoutMs = 60_000 } = options;
  if (storage !== 'embedded' && storage !== 'memory' && storage !== 'etcd') {
    throw new RangeError(`unknown storage ${JSON.stringify(storage)}: use embedded, memory or etcd`);
  }
  const { eventTtlMs = 0 } = options;
  if (!(eventTtlMs >= 0)) throw new RangeError('the time to live of events must not be negative');
  if (!(requestTimeoutMs > 0)) throw new RangeError('the request timeout must be positive');
  if ((options.tlsCertFile === undefined) !== (options.tlsPrivateKeyFile === undefined)) {
    throw new RangeError('a serving certificate and its private key must be given together');
  }
  const { advertiseAddress } = options;
  if (advertiseAddress !== undefined && isIP(advertiseAddress) === 0) {
    throw new RangeError(`the address to advertise must be an IP address: ${advertiseAddress}`);
  }
  const { healthBindAddress } = options;
  if (healthBindAddress !== undefined && isIP(healthBindAddress) === 0) {
    throw new RangeError(`health-bind-address must be an IP address: ${healthBindAddress}`);
  }
  if (healthBindAddress !== undefined && options.healthPort === undefined) {
    throw new RangeError('health-bind-address needs health-port');
  }
  if (options.encryptionProviderConfigAutomaticReload && options.encryptionProviderConfig === undefined) {
    throw new RangeError('an encryption configuration is needed to reload it');
  }
  checkInFlightOptions(options);
  parseAllowedOrigins(options.corsAllowedOrigins ?? []);
  checkIdentityOptions(options);
  auditLogOptions(options);
  checkKubeletOptions(options);
  checkObservationOptions(options);
  checkEtcdOptions(options);
  checkExistingDataOptions(options, storage);
  const admissionPlugins = enabledPlugins(options);
  return {
    ...defaults,
    ...definedOnly(options),
    threads: threadCount(options),
    passesLargeRequests: options.threads !== undefined,
    startsThreadsOnDemand: options.threads === 'auto',
    storage,
    requestTimeoutMs,
    ...decisionsOf(options),
    admissionPlugins,
    featureGates: parseFeatureGates(options.featureGates ?? ''),
    ...(storage !== 'memory' && options.fromSnapshot === undefined && { dataDir: options.dataDir ?? '.keelson' }),
  };
}

function threadCount({ threads = 1 }: ServerOptions): number {
  if (threads === 'auto') return Math.min(availableParallelism(), maxAutomaticThreads);
  if (Number.isInteger(threads) && threads >= 1 && threads <= maxThreads) return threads;
  throw new RangeError(`the number of threads must be between 1 and ${maxThreads}`);
}

function checkInFlightOptions({
  maxRequestsInFlight = defaults.maxRequestsInFlight,
  maxMutatingRequestsInFlight = defaults.maxMutatingRequestsInFlight,
  enablePriorityAndFairness = true,
}: ServerOptions): void {
  if (!(maxRequestsInFlight >= 0 && maxMutatingRequestsInFlight >= 0)) {
    throw new RangeError('the maximum numbers of requests in flight must not be negative');
  }
  if (enablePriorityAndFairness && maxRequestsInFlight + maxMutatingRequestsInFlight <= 0) {
    throw new RangeError('priority and fairness needs a maximum number of requests in flight');
  }
}

function definedOnly(options: ServerOptions): ServerOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
