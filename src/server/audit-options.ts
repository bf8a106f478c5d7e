import type { AuditLogOptions } from '../audit/index.ts';
import { resolveAuditLogOptions } from '../audit/log/audit-log-options.ts';

/** Options of the audit log. The names are those of the flags. */
export interface AuditOptions {
  /** A file with a Policy of audit.k8s.io/v1, which selects the requests to record. Without it, auditing is off. */
  readonly auditPolicyFile?: string;
  /** The log file; `-` is standard output. Without it, auditing is off. */
  readonly auditLogPath?: string;
  readonly auditLogFormat?: 'json' | 'legacy';
  readonly auditLogVersion?: string;
  /** Whether requests wait until their events are written. */
  readonly auditLogMode?: 'batch' | 'blocking' | 'blocking-strict';
  readonly auditLogBatchBufferSize?: number;
  readonly auditLogBatchMaxSize?: number;
  readonly auditLogBatchMaxWaitMs?: number;
  readonly auditLogBatchThrottleEnable?: boolean;
  readonly auditLogBatchThrottleQps?: number;
  readonly auditLogBatchThrottleBurst?: number;
  /** Days. */
  readonly auditLogMaxage?: number;
  readonly auditLogMaxbackup?: number;
  /** Megabytes. */
  readonly auditLogMaxsize?: number;
  readonly auditLogCompress?: boolean;
  readonly auditLogTruncateEnabled?: boolean;
  readonly auditLogTruncateMaxEventSize?: number;
  readonly auditLogTruncateMaxBatchSize?: number;
}

/** Returns undefined when auditing is off. Throws a RangeError for invalid options. */
export function auditLogOptions(options: AuditOptions): AuditLogOptions | undefined {
  const { auditPolicyFile, auditLogPath: path } = options;
  if (auditPolicyFile === undefined || path === undefined) return undefined;
  const given = {
    path,
    format: options.auditLogFormat,
    version: options.auditLogVersion,
    mode: options.auditLogMode,
    batchBufferSize: options.auditLogBatchBufferSize,
    batchMaxSize: options.auditLogBatchMaxSize,
    batchMaxWaitMs: options.auditLogBatchMaxWaitMs,
    batchThrottleEnable: options.auditLogBatchThrottleEnable,
    batchThrottleQps: options.auditLogBatchThrottleQps,
    batchThrottleBurst: options.auditLogBatchThrottleBurst,
    maxAge: options.auditLogMaxage,
    maxBackup: options.auditLogMaxbackup,
    maxSize: options.auditLogMaxsize,
    compress: options.auditLogCompress,
    truncateEnabled: options.auditLogTruncateEnabled,
    truncateMaxEventSize: options.auditLogTruncateMaxEventSize,
    truncateMaxBatchSize: options.auditLogTruncateMaxBatchSize,
  };
  const defined = Object.entries(given).filter(([, value]) => value !== undefined);
  const log = Object.fromEntries(defined) as unknown as AuditLogOptions;
  resolveAuditLogOptions(log);
  return log;
}
