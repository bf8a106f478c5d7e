/**
 * What is kept of requests for those who ask later who did what: the policy that says which and how much, the events, and
 * the log that they go to. Secrets are taken out of everything that is written. How bodies come to be values, and when
 * an answer is complete, is known to `http`.
 */

export type { AuditEvent, AuditSink, AuditStatus, ObjectReference } from './audit-event.ts';
export { AuditPolicy, type PolicyResource, type PolicySubject } from './audit-policy.ts';
export { AuditRecord, type Captured, type RecordedRequest } from './audit-record.ts';
export { type AuditLog, openAuditLog } from './log/audit-log.ts';
export type { AuditLogOptions } from './log/audit-log-options.ts';
export type { AuditConfig, Level, Stage } from './policy-document.ts';
export { sourceAddresses } from './source-addresses.ts';
