import { duration, integer, oneOf, text, truth } from './flags.ts';

const count = (name: string, fallback: string, help: string) => ({
  name,
  placeholder: 'N',
  fallback,
  help,
  parse: integer({ min: 0, max: 2 ** 31 }),
});
const choice = (name: string, help: string) =>
  ({ name, placeholder: 'true|false', fallback: 'false', help, kind: 'switch', parse: truth }) as const;

/** What is kept of who did what. */
export const auditFlags = {
  auditPolicyFile: {
    name: 'audit-policy-file',
    placeholder: 'FILE',
    help: 'audit policy (YAML): what is recorded of which requests; read again when it changes',
    parse: text,
  },
  auditLogPath: {
    name: 'audit-log-path',
    placeholder: 'FILE',
    help: 'where audit events go; - is stdout',
    parse: text,
  },
  auditLogFormat: {
    name: 'audit-log-format',
    placeholder: 'json|legacy',
    fallback: 'json',
    help: 'one JSON document or one line of text per event',
    parse: oneOf('json', 'legacy'),
  },
  auditLogVersion: {
    name: 'audit-log-version',
    placeholder: 'VERSION',
    fallback: 'audit.k8s.io/v1',
    help: 'version of the events',
    parse: text,
  },
  auditLogMode: {
    name: 'audit-log-mode',
    placeholder: 'batch|blocking|..',
    fallback: 'blocking',
    help: 'whether requests wait for their events: batch, blocking, blocking-strict (and fail without them)',
    parse: oneOf('batch', 'blocking', 'blocking-strict'),
  },
  auditLogBatchBufferSize: count('audit-log-batch-buffer-size', '10000', 'events that may wait to be written'),
  auditLogBatchMaxSize: count('audit-log-batch-max-size', '1', 'events that are written together'),
  auditLogBatchMaxWaitMs: {
    name: 'audit-log-batch-max-wait',
    placeholder: 'DURATION',
    fallback: '0s',
    help: 'how long events wait for others',
    parse: duration,
  },
  auditLogBatchThrottleEnable: choice('audit-log-batch-throttle-enable', 'limit the batches per second'),
  auditLogBatchThrottleQps: count('audit-log-batch-throttle-qps', '0', 'batches per second'),
  auditLogBatchThrottleBurst: count('audit-log-batch-throttle-burst', '0', 'batches at once'),
  auditLogMaxage: count('audit-log-maxage', '0', 'days for which old files are kept; 0 keeps them'),
  auditLogMaxbackup: count('audit-log-maxbackup', '0', 'old files that are kept; 0 keeps all'),
  auditLogMaxsize: count('audit-log-maxsize', '0', 'megabytes of a file; 0 is 100'),
  auditLogCompress: choice('audit-log-compress', 'compress old files'),
  auditLogTruncateEnabled: choice('audit-log-truncate-enabled', 'leave bodies out of events that are too large'),
  auditLogTruncateMaxEventSize: count('audit-log-truncate-max-event-size', '102400', 'bytes of an event'),
  auditLogTruncateMaxBatchSize: count('audit-log-truncate-max-batch-size', '10485760', 'bytes of a batch'),
} as const;
