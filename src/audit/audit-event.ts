import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { StatusDetails } from '../meta/status-error.ts';
import type { Level, Stage } from './policy-document.ts';

/** The user of an event. Empty fields are omitted. */
export interface AuditUser {
  username?: string;
  uid?: string;
  groups?: readonly string[];
  extra?: Readonly<Record<string, readonly string[]>>;
}

/** The object of a request. Keys are in output order; empty fields are omitted. */
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

/** The status of the response. Keys are in output order. */
export interface AuditStatus {
  metadata: Record<string, never>;
  status?: string;
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code: number;
}

/** One stage of one request. Keys are in output order. */
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
  /** Set when the user was impersonated in a constrained mode. */
  authenticationMetadata?: { readonly impersonationConstraint: string } | undefined;
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

/** Receives events. */
export interface AuditSink {
  /**
   * Writes an event, which must contain no secrets and must not change afterwards. Events keep their order. Returns
   * false when the request must not proceed. Never throws or rejects.
   */
  write(event: AuditEvent): MaybePromise<boolean>;
}
