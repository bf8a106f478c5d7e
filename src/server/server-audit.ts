import type { AuditEvent, LineFile } from '../audit/index.ts';
import type { RequestAudit } from '../http/filters/audit.ts';
import type { Meter } from '../meta/meter.ts';
import { schemaOf } from '../resources/index.ts';
import { auditLogOptions } from './audit-options.ts';
import type { OptionFiles } from './files/option-files.ts';
import type { ResolvedOptions } from './options.ts';

/** The audit log of a running server. */
export interface ServerAudit {
  /** Undefined when auditing is off. */
  readonly requests: RequestAudit | undefined;
  /** The last events of this thread, the oldest first. Undefined when auditing is off. */
  readonly recent: ((count: number) => readonly AuditEvent[]) | undefined;
  /** Writes lines of another thread. Resolves with the error, if there is one. */
  writeLines(lines: readonly Buffer[]): Promise<Error | undefined>;
  /** Resolves when all events are written. */
  close(): Promise<void>;
}

interface AuditDependencies {
  /** The destination of the lines in a thread that does not write the log itself. */
  readonly file?: LineFile | undefined;
  readonly files: OptionFiles;
  readonly meter: Meter;
  readonly signal: AbortSignal;
}

/**
 * Opens the audit log and reloads the policy when its file changes, until the signal aborts. Rejects with a RangeError
 * for an invalid policy.
 */
export async function serverAudit(
  options: ResolvedOptions,
  { file, files, meter, signal }: AuditDependencies,
): Promise<ServerAudit> {
  const { log, auditPolicyFile } = options;
  const target = auditLogOptions(options);
  if (target === undefined || auditPolicyFile === undefined) {
    const missing = options.auditLogPath !== undefined ? 'audit policy' : auditPolicyFile && 'path for the audit log';
    // Only one thread logs this message.
    if (missing && files.isReader) log.info(`auditing is off: there is no ${missing}`);
    return {
      requests: undefined,
      recent: undefined,
      writeLines: async () => undefined,
      close: () => Promise.resolve(),
    };
  }
  // Loaded only when auditing is on.
  const [{ AuditMetrics, AuditPolicy, openAuditLog, RecentEvents }, { RequestAudit }] = await Promise.all([
    import('../audit/index.ts'),
    import('../http/filters/audit.ts'),
  ]);
  const policy = new AuditPolicy(await files.read('audit-policy-file', auditPolicyFile));
  const onFault = (err: Error): void => log.error('audit events are lost', { err });
  const sink = await openAuditLog({ ...target, onFault }, file);
  // Closes the log also when a later step of the start fails.
  signal.addEventListener('abort', () => void sink.close(), { once: true });
  await files.follow([auditPolicyFile], {
    onContents: ([content]) => policy.replace(content),
    onError: (err) => log.error('audit policy not reloaded', { file: auditPolicyFile, err }),
    signal,
  });
  const metrics = new AuditMetrics(meter);
  const recent = new RecentEvents(metrics.counted(sink, 'log'));
  return {
    requests: new RequestAudit({ policy, sink: recent, schemaOf, metrics }),
    recent: (count) => recent.last(count),
    writeLines: (lines) => sink.writeLines(lines),
    close: () => sink.close(),
  };
}
