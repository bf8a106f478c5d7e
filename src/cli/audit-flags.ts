import { bool, duration, integer, oneOf, text } from './flags.ts';

const count = (name: string, fallback: string, help: string) => ({
  name,
  placeholder: 'N',
  fallback,
  help,
  parse: integer({ min: 0, max: 2 ** 31 }),
});
const choice = (name: string, help: string) =>
  ({ name, placeholder: 'true|false', fallback: 'false', help, kind: 'switch', parse: bool }) as const;

/** Flags of the audit log. */
export const auditFlags = {
  auditPolicyFile: {
    name: 'audit-policy-file',
    placeholder: 'FILE',
    help: 'File with the audit policy (YAML): the level at which requests are recorded. Reloaded when it changes.',
    parse: text,
  },
  auditLogPath: {
    name: 'audit-log-path',
    placeholder: 'FILE',
    help: 'File to which audit events are written. - means stdout.',
    parse: text,
  },
  auditLogFormat: {
    name: 'audit-log-format',
    placeholder: 'json|legacy',
    fallback: 'json',
    help: 'Format of audit events: json (a document per line) or legacy (a line of text).',
    parse: oneOf('json', 'legacy'),
  },
  auditLogVersion: {
    name: 'audit-log-version',
    placeholder: 'VERSION',
    fallback: 'audit.k8s.io/v1',
    help: 'API version of audit events.',
    parse: text,
  },
  auditLogMode: {
    name: 'audit-log-mode',
    placeholder: 'batch|blocking|..',
    fallback: 'blocking',
    help: 'Whether requests wait until their events are written: batch (no), blocking (yes) or blocking-strict (yes, and they fail if an event cannot be written).',
    parse: oneOf('batch', 'blocking', 'blocking-strict'),
  },
  auditLogBatchBufferSize: count(
    'audit-log-batch-buffer-size',
    '10000',
    'Maximum number of events that wait to be written (mode batch).',
  ),
  auditLogBatchMaxSize: count('audit-log-batch-max-size', '1', 'Maximum number of events in a batch (mode batch).'),
  auditLogBatchMaxWaitMs: {
    name: 'audit-log-batch-max-wait',
    placeholder: 'DURATION',
    fallback: '0s',
    help: 'How long a batch waits for more events (mode batch).',
    parse: duration,
  },
  auditLogBatchThrottleEnable: choice(
    'audit-log-batch-throttle-enable',
    'Whether the batches per second are limited (mode batch).',
  ),
  auditLogBatchThrottleQps: count(
    'audit-log-batch-throttle-qps',
    '0',
    'Average number of batches per second (mode batch).',
  ),
  auditLogBatchThrottleBurst: count(
    'audit-log-batch-throttle-burst',
    '0',
    'Number of batches that may be written at once (mode batch).',
  ),
  auditLogMaxage: count(
    'audit-log-maxage',
    '0',
    'Number of days for which old log files are kept. 0 keeps them forever.',
  ),
  auditLogMaxbackup: count('audit-log-maxbackup', '0', 'Number of old log files that are kept. 0 keeps all.'),
  auditLogMaxsize: count(
    'audit-log-maxsize',
    '0',
    'Size in megabytes at which a new log file is started. 0 means 100.',
  ),
  auditLogCompress: choice('audit-log-compress', 'Whether old log files are compressed with gzip.'),
  auditLogTruncateEnabled: choice(
    'audit-log-truncate-enabled',
    'Whether bodies are removed from events that are too large.',
  ),
  auditLogTruncateMaxEventSize: count(
    'audit-log-truncate-max-event-size',
    '102400',
    'Maximum size of an event in bytes.',
  ),
  auditLogTruncateMaxBatchSize: count(
    'audit-log-truncate-max-batch-size',
    '10485760',
    'Maximum size of a batch in bytes.',
  ),
} as const;
