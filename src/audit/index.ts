/**
 * Audit: records requests and their users. Contains the policy that selects requests and levels, the events, and the
 * log. Secrets are removed from everything that is written. `http` decodes bodies and determines when a response is
 * complete.
 */

export type { AuditEvent, AuditSink, AuditStatus, ObjectReference } from './audit-event.ts';
export { AuditMetrics } from './audit-metrics.ts';
export { AuditPolicy, type PolicyResource, type PolicySubject } from './audit-policy.ts';
export { AuditRecord, type Captured, type RecordedRequest } from './audit-record.ts';
export { type AuditLog, openAuditLog } from './log/audit-log.ts';
export type { AuditLogOptions } from './log/audit-log-options.ts';
export type { LineFile } from './log/line-file.ts';
export type { AuditConfig, Level, Stage } from './policy-document.ts';
export { RecentEvents } from './recent-events.ts';
export { sourceAddresses } from './source-addresses.ts';
