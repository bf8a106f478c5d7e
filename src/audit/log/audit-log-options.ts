import type { Writable } from 'node:stream';
import { goQuote } from '../../meta/go-quote.ts';
import type { LogFormat } from '../event-line.ts';

const modes = ['batch', 'blocking', 'blocking-strict'] as const;
const formats = ['legacy', 'json'] as const;
const version = 'audit.k8s.io/v1';

/**
 * Whether requests wait for their events: never (`batch`), until each is written (`blocking`), or as `blocking` and
 * failing when the first event cannot be written (`blocking-strict`).
 */
export type LogMode = (typeof modes)[number];

/** All options except the path have the defaults of kube-apiserver. */
export interface AuditLogOptions {
  /** `-` is standard output. */
  readonly path: string;
  readonly format?: LogFormat;
  readonly mode?: LogMode;
  /** API version of the events. Only one is supported. */
  readonly version?: string;
  /** Maximum number of buffered events. */
  readonly batchBufferSize?: number;
  /** A batch is written when it has this many events. */
  readonly batchMaxSize?: number;
  /** A batch is written after this time at the latest. */
  readonly batchMaxWaitMs?: number;
  readonly batchThrottleEnable?: boolean;
  /** Batches per second. */
  readonly batchThrottleQps?: number;
  readonly batchThrottleBurst?: number;
  /** Days to keep old files. 0 keeps them forever. */
  readonly maxAge?: number;
  /** Number of old files to keep. 0 keeps all. */
  readonly maxBackup?: number;
  /** Maximum size of a file in megabytes. 0 means 100. */
  readonly maxSize?: number;
  /** Whether to compress old files. */
  readonly compress?: boolean;
  readonly truncateEnabled?: boolean;
  /** In bytes. */
  readonly truncateMaxEventSize?: number;
  readonly truncateMaxBatchSize?: number;
  /** Called with errors when events cannot be written. */
  readonly onFault?: (error: Error) => void;
  readonly stdout?: Writable;
}

export type ResolvedAuditLogOptions = Required<AuditLogOptions>;

/** Throws a RangeError that lists all errors. */
export function resolveAuditLogOptions(options: AuditLogOptions): ResolvedAuditLogOptions {
  const resolved: ResolvedAuditLogOptions = {
    format: 'json',
    mode: 'blocking',
    version,
    batchBufferSize: 10_000,
    batchMaxSize: 1,
    batchMaxWaitMs: 0,
    batchThrottleEnable: false,
    batchThrottleQps: 0,
    batchThrottleBurst: 0,
    maxAge: 0,
    maxBackup: 0,
    maxSize: 0,
    compress: false,
    truncateEnabled: false,
    truncateMaxEventSize: 100 * 1024,
    truncateMaxBatchSize: 10 * 1024 * 1024,
    onFault: () => {},
    stdout: process.stdout,
    ...options,
  };
  const problems = [
    ...batchProblems(resolved),
    ...truncateProblems(resolved),
    ...formatProblems(resolved),
    ...fileProblems(resolved),
  ];
  if (problems.length > 0) throw new RangeError(problems.join(', '));
  return resolved;
}

function* batchProblems(options: ResolvedAuditLogOptions): Generator<string> {
  const { mode, batchBufferSize, batchMaxSize, batchThrottleEnable, batchThrottleQps, batchThrottleBurst } = options;
  if (!modes.includes(mode)) {
    yield `invalid audit log mode ${mode}, allowed modes are ${goQuote(modes.join(','))}`;
  }
  // Batch options are not validated in other modes.
  if (mode !== 'batch') return;
  const positive = [
    ['buffer size', batchBufferSize],
    ['max batch size', batchMaxSize],
    ...(batchThrottleEnable
      ? ([
          ['throttle QPS', batchThrottleQps],
          ['throttle burst', batchThrottleBurst],
        ] as const)
      : []),
  ] as const;
  for (const [what, value] of positive) {
    if (!(value > 0)) yield `invalid audit batch log ${what} ${value}, must be a positive number`;
  }
}

function* truncateProblems(options: ResolvedAuditLogOptions): Generator<string> {
  const { truncateMaxEventSize: event, truncateMaxBatchSize: batch } = options;
  if (!(event > 0)) yield `invalid audit truncate log max event size ${event}, must be a positive number`;
  else if (batch < event) {
    yield `invalid audit truncate log max batch size ${batch}, must be greater than max event size (${event})`;
  }
}

function* formatProblems(options: ResolvedAuditLogOptions): Generator<string> {
  if (options.version !== version) yield `invalid group version, allowed versions are ${goQuote(version)}`;
  if (!formats.includes(options.format)) {
    yield `invalid audit log format ${options.format}, allowed formats are ${goQuote(formats.join(','))}`;
  }
}

function* fileProblems({ maxAge, maxBackup, maxSize }: ResolvedAuditLogOptions): Generator<string> {
  for (const [flag, value] of Object.entries({ maxage: maxAge, maxbackup: maxBackup, maxsize: maxSize })) {
    if (value < 0) yield `--audit-log-${flag} ${value} can't be a negative number`;
  }
}
