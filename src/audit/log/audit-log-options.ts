import type { Writable } from 'node:stream';
import { goQuote } from '../../meta/go-quote.ts';
import type { LogFormat } from '../event-line.ts';

const modes = ['batch', 'blocking', 'blocking-strict'] as const;
const formats = ['legacy', 'json'] as const;
const version = 'audit.k8s.io/v1';

/**
 * When a request waits for its events: never (`batch`), until each of them is written (`blocking`), or until it is known that
 * the first of them could be written (`blocking-strict`).
 */
export type LogMode = (typeof modes)[number];

/** Everything but the path has kube-apiserver's default. */
export interface AuditLogOptions {
  /** `-` is standard output. */
  readonly path: string;
  readonly format?: LogFormat;
  readonly mode?: LogMode;
  /** The version of the events. There is only one. */
  readonly version?: string;
  /** How many events may wait. */
  readonly batchBufferSize?: number;
  /** So many of them are written at once, no matter how long they have waited. */
  readonly batchMaxSize?: number;
  /** After so many milliseconds they are written, no matter how few they are. */
  readonly batchMaxWaitMs?: number;
  readonly batchThrottleEnable?: boolean;
  /** Batches per second. */
  readonly batchThrottleQps?: number;
  readonly batchThrottleBurst?: number;
  /** Days for which old files are kept; 0 keeps them for ever. */
  readonly maxAge?: number;
  /** How many old files are kept; 0 keeps all. */
  readonly maxBackup?: number;
  /** Megabytes of a file; 0 is 100. */
  readonly maxSize?: number;
  /** Whether old files are compressed. */
  readonly compress?: boolean;
  readonly truncateEnabled?: boolean;
  /** Bytes. */
  readonly truncateMaxEventSize?: number;
  readonly truncateMaxBatchSize?: number;
  /** Hears what could not be written. */
  readonly onFault?: (error: Error) => void;
  readonly stdout?: Writable;
}

export type ResolvedAuditLogOptions = Required<AuditLogOptions>;

/** Throws a RangeError that says everything that is wrong. */
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
  // What is not used is not judged.
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
