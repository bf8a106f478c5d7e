import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { StatusDetails } from '../meta/status-error.ts';
import type { Level, Stage } from './policy-document.ts';

/** Who, as events show it. Empty parts are left out. */
export interface AuditUser {
  username?: string;
  uid?: string;
  groups?: readonly string[];
  extra?: Readonly<Record<string, readonly string[]>>;
}

/** What a request is about. Keys in the order in which they are written; empty parts are left out. */
export interface ObjectReference {
  resource?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiGroup?: string;
  apiVersion?: string;
  resourceVersion?: string;
  subresource?: string;
}

/** What the client was told. Keys in the order in which they are written. */
export interface AuditStatus {
  metadata: Record<string, never>;
  status?: string;
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code: number;
}

/** One stage of one request. Keys in the order in which they are written. */
export interface AuditEvent {
  kind: 'Event';
  apiVersion: 'audit.k8s.io/v1';
  level: Level;
  auditID: string;
  stage: Stage;
  requestURI: string;
  verb: string;
  user: AuditUser;
  impersonatedUser?: AuditUser | undefined;
  sourceIPs?: readonly string[] | undefined;
  userAgent?: string | undefined;
  objectRef?: ObjectReference | undefined;
  responseStatus?: AuditStatus | undefined;
  requestObject?: unknown;
  responseObject?: unknown;
  requestReceivedTimestamp: string;
  stageTimestamp: string;
  annotations?: Readonly<Record<string, string>> | undefined;
}

/** Where events go. */
export interface AuditSink {
  /**
   * Takes an event that has no secrets in it and does not change any more. Events are kept in the order in which they are
   * given. False when the request must not go on without it. Never throws, never rejects.
   */
  write(event: AuditEvent): MaybePromise<boolean>;
}
