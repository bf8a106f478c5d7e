import { isIP } from 'node:net';
import { parseAllowedOrigins } from '../http/filters/cross-origin.ts';
import { type AuditOptions, auditLogOptions } from './audit-options.ts';
import { type FeatureGates, parseFeatureGates } from './feature-gates.ts';
import {
  type AuthenticationOptions,
  type AuthorizationOptions,
  checkIdentityOptions,
  identityDefaults,
  type SigningOptions,
} from './identity-options.ts';

/** How a server is started. The command line has a flag for each of these. */
export interface ServerOptions extends AuthenticationOptions, AuthorizationOptions, SigningOptions, AuditOptions {
  /** Where objects are kept: durably in the data directory, or in memory until the server stops. */
  readonly storage?: 'embedded' | 'memory';
  /**
   * The directory for the store, the certificates and the administrator's kubeconfig. With memory storage it may be left out:
   * then nothing is written to disk. Default with embedded storage: `./.keelson`.
   */
  readonly dataDir?: string;
  readonly bindAddress?: string;
  /** Under which other machines find the server; the bind address, or one of this machine's, by default. */
  readonly advertiseAddress?: string;
  /** 0 takes a free one. */
  readonly securePort?: number;
  /** PEM files: a serving certificate of your own, with its key. */
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly tlsMinVersion?: 'VersionTLS12' | 'VersionTLS13';
  /** By Go's names; those with forward secrecy and authenticated encryption by default. */
  readonly tlsCipherSuites?: readonly string[];
  /** Regular expressions for the origins of pages that may use the server from a browser; none by default. */
  readonly corsAllowedOrigins?: readonly string[];
  /** How long history is kept, in milliseconds; 0 keeps it for ever. */
  readonly compactionRetentionMs?: number;
  readonly requestTimeoutMs?: number;
  /** Watches without a timeout of their own end after this and up to twice as long. */
  readonly minRequestTimeoutSeconds?: number;
  readonly http2MaxStreamsPerConnection?: number;
  /** For so long after the start a check of the start-up sequence does not make the server count as dead. */
  readonly livezGracePeriodMs?: number;
  /** For so long a stopping server goes on serving while it already says that it is not ready. */
  readonly shutdownDelayMs?: number;
  /** Where services get their addresses from: a CIDR, or one of each family with a comma between them. */
  readonly serviceClusterIpRange?: string;
  /** Which ports of the nodes services may have: `30000-32767`. */
  readonly serviceNodePortRange?: string;
  /** Whether containers may be privileged. True by default: nothing runs here. */
  readonly allowPrivileged?: boolean;
  /** How long events are kept after they were written last, in milliseconds; 0 keeps them for ever. */
  readonly eventTtlMs?: number;
  /** The status of a create by POST. */
  readonly postCreateStatus?: 200 | 201;
  /**
   * What the server does by itself, by the names that kube-controller-manager has: `*` is everything that is not named, `x` is
   * on, `-x` is off. Everything by default.
   */
  readonly controllers?: readonly string[];
  /** As on the command line: `A=true,B=false`. */
  readonly featureGates?: string;
  /** As on the command line: `apps/v1=false`. */
  readonly runtimeConfig?: string;
  /** Hears what the server has to say; nothing by default. */
  readonly log?: Logger;
}

export interface Logger {
  info(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
  /** Resolves when what has been said so far is out. */
  flush(): Promise<void>;
}

export type ResolvedOptions = Required<Pick<ServerOptions, Defaulted>> &
  Omit<ServerOptions, Defaulted | 'featureGates'> & { readonly featureGates: FeatureGates };

/** What has a value even if nobody gives one. */
type Defaulted = keyof typeof defaults | 'storage' | 'requestTimeoutMs' | 'postCreateStatus';

const silent: Logger = { info: () => {}, error: () => {}, flush: () => Promise.resolve() };

const defaults = {
  bindAddress: '127.0.0.1',
  securePort: 0,
  compactionRetentionMs: 5 * 60_000,
  minRequestTimeoutSeconds: 1800,
  http2MaxStreamsPerConnection: 250,
  livezGracePeriodMs: 0,
  shutdownDelayMs: 0,
  controllers: ['*'],
  corsAllowedOrigins: [] as readonly string[],
  runtimeConfig: '',
  serviceClusterIpRange: '10.96.0.0/16',
  serviceNodePortRange: '30000-32767',
  allowPrivileged: true,
  eventTtlMs: 60 * 60_000,
  log: silent,
  ...identityDefaults,
};

/** Throws a RangeError for options that make no sense or contradict each other. */
export function resolveOptions(options: ServerOptions): ResolvedOptions {
  const { storage = 'embedded', requestTimeoutMs = 60_000, postCreateStatus = 200 } = options;
  if (storage !== 'embedded' && storage !== 'memory') {
    throw new RangeError(`unknown storage ${JSON.stringify(storage)}: use embedded or memory`);
  }
  const { eventTtlMs = 0 } = options;
  if (!(eventTtlMs >= 0)) throw new RangeError('the time to live of events must not be negative');
  if (!(requestTimeoutMs > 0)) throw new RangeError('the request timeout must be longer than nothing');
  if (postCreateStatus !== 200 && postCreateStatus !== 201) {
    throw new RangeError('the status of a create must be 200 or 201');
  }
  if ((options.tlsCertFile === undefined) !== (options.tlsPrivateKeyFile === undefined)) {
    throw new RangeError('a serving certificate and its private key must be given together');
  }
  const { advertiseAddress } = options;
  if (advertiseAddress !== undefined && isIP(advertiseAddress) === 0) {
    throw new RangeError(`the address to advertise must be an IP address: ${advertiseAddress}`);
  }
  parseAllowedOrigins(options.corsAllowedOrigins ?? []);
  checkIdentityOptions(options);
  auditLogOptions(options);
  return {
    ...defaults,
    ...definedOnly(options),
    storage,
    requestTimeoutMs,
    postCreateStatus,
    featureGates: parseFeatureGates(options.featureGates ?? ''),
    ...(storage === 'embedded' && { dataDir: options.dataDir ?? '.keelson' }),
  };
}

function definedOnly(options: ServerOptions): ServerOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
