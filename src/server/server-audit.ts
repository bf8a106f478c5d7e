import type { RequestAudit } from '../http/filters/audit.ts';
import { schemaOf } from '../resources/index.ts';
import { auditLogOptions } from './audit-options.ts';
import { followFile } from './files/follow-file.ts';
import { readOptionFile } from './files/read-option-file.ts';
import type { ResolvedOptions } from './options.ts';

/** What records requests, while the server runs. */
export interface ServerAudit {
  /** Undefined when nothing is to be recorded. */
  readonly requests: RequestAudit | undefined;
  /** Resolves when everything that has been recorded is written. */
  close(): Promise<void>;
}

/** Rejects with a RangeError for a policy that cannot be used. The policy is followed until the signal aborts. */
export async function serverAudit(options: ResolvedOptions, signal: AbortSignal): Promise<ServerAudit> {
  const { log, auditPolicyFile } = options;
  const target = auditLogOptions(options);
  if (target === undefined || auditPolicyFile === undefined) {
    if (options.auditLogPath !== undefined) log.info('nothing is audited: there is no audit policy');
    if (auditPolicyFile !== undefined) log.info('nothing is audited: there is no path for the audit log');
    return { requests: undefined, close: () => Promise.resolve() };
  }
  // Loaded only by servers that record requests.
  const [{ AuditPolicy, openAuditLog }, { RequestAudit }] = await Promise.all([
    import('../audit/index.ts'),
    import('../http/filters/audit.ts'),
  ]);
  const policy = new AuditPolicy(await readOptionFile('audit-policy-file', auditPolicyFile));
  const sink = await openAuditLog({ ...target, onFault: (err) => log.error('audit events are lost', { err }) });
  // Also when the start fails further on.
  signal.addEventListener('abort', () => void sink.close(), { once: true });
  await followFile(auditPolicyFile, {
    onContent: (content) => policy.replace(content),
    onError: (err) => log.error('audit policy not reloaded', { file: auditPolicyFile, err }),
    signal,
  });
  return { requests: new RequestAudit({ policy, sink, schemaOf }), close: () => sink.close() };
}
