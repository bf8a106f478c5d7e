import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { UserInfo } from '../meta/user.ts';
import type { AuditEvent, AuditSink, AuditStatus, AuditUser, ObjectReference } from './audit-event.ts';
import { microTime } from './micro-time.ts';
import type { AuditConfig, Stage } from './policy-document.ts';
import { isRecord } from './redact-all.ts';
import { type BodyTarget, containsSecrets, redactRequest, redactResponse } from './redact-body.ts';
import { redactUri } from './redact-uri.ts';
import { redacted } from './redacted.ts';
import { scrub } from './scrub.ts';

/** An authenticator may have put a credential into the extra values of a user. */
const secretExtra = /(^|[^a-z0-9])(token|secret|password|cookie)$/i;

/** The attributes of a request before it is processed. */
export interface RecordedRequest {
  readonly auditId: string;
  readonly path: string;
  readonly query: string;
  readonly verb: string;
  /** Undefined for an unauthenticated request. */
  readonly user: UserInfo | undefined;
  readonly sourceIps: readonly string[];
  readonly userAgent: string | undefined;
  /** Undefined for non-resource requests. */
  readonly target:
    | (BodyTarget & { readonly version: string; readonly namespace: string; readonly name: string })
    | undefined;
}

/** The attributes of a request at the recorded stage. */
export interface Captured {
  readonly status?: AuditStatus | undefined;
  /** Undefined without a readable body. */
  readonly requestObject?: unknown;
  /** Whether there is a body that cannot be decoded. */
  readonly isUnreadable?: boolean;
  /** The body is an object and not a patch. Its name and uid are recorded at every level. */
  readonly namesItself?: boolean;
  readonly responseObject?: unknown;
  readonly impersonatedUser?: UserInfo | undefined;
  /** The verb of the constrained mode in which the user was impersonated. */
  readonly impersonationConstraint?: string | undefined;
}

const maxUserAgentLength = 1024;
const truncatedKey = 'audit.k8s.io/truncated';

/** Creates the events of one request. Its input may contain secrets; the events that it passes to the sink do not. */
export class AuditRecord {
  readonly config: AuditConfig;
  readonly #sink: AuditSink;
  readonly #request: RecordedRequest;
  readonly #receivedAt = microTime();
  readonly #secrets = new Set<string>();
  readonly #requestUri: string;
  readonly #annotations = new Map<string, string>();

  constructor(request: RecordedRequest, { config, sink }: { config: AuditConfig; sink: AuditSink }) {
    this.config = config;
    this.#sink = sink;
    this.#request = request;
    this.#requestUri = redactUri(request.path, request.query, this.#secrets);
  }

  get auditId(): string {
    return this.#request.auditId;
  }

  /** Whether events of this level contain the request body. */
  get showsRequest(): boolean {
    const { level } = this.config;
    return this.#request.target !== undefined && (level === 'Request' || level === 'RequestResponse');
  }

  get showsResponse(): boolean {
    return this.#request.target !== undefined && this.config.level === 'RequestResponse';
  }

  /** Whether bodies must be decoded even if they are not recorded, to find secrets that error messages quote. */
  get holdsSecrets(): boolean {
    return containsSecrets(this.#request.target);
  }

  /**
   * Adds an annotation to this and later events. The first value of a key wins. One that shows parts of the object is
   * only added where the object is shown and cannot contain secrets.
   */
  annotate(key: string, value: string, { showsObject = false }: { readonly showsObject?: boolean } = {}): void {
    if (showsObject && (!this.showsRequest || this.holdsSecrets)) return;
    if (!this.#annotations.has(key)) this.#annotations.set(key, value);
  }

  /** Marks later events as truncated. */
  markTruncated(): void {
    this.annotate(truncatedKey, 'true');
  }

  /**
   * Sends the event of a stage to the sink, unless the policy omits the stage. Returns false when the request must not
   * proceed.
   */
  reach(stage: Stage, captured: Captured = {}): MaybePromise<boolean> {
    return this.config.omitted.has(stage) ? true : this.#sink.write(this.#event(stage, captured));
  }

  #event(stage: Stage, captured: Captured): AuditEvent {
    const { auditId, verb, user, sourceIps, userAgent } = this.#request;
    // Must come first: it collects the secrets that the other fields are searched for.
    const requestObject = this.#shownRequest(captured);
    const { impersonatedUser, impersonationConstraint } = captured;
    return {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: this.config.level,
      auditID: auditId,
      stage,
      requestURI: this.#requestUri,
      verb,
      user: formatUser(user),
      impersonatedUser: impersonatedUser && formatUser(impersonatedUser),
      authenticationMetadata: impersonationConstraint === undefined ? undefined : { impersonationConstraint },
      sourceIPs: sourceIps.length === 0 ? undefined : sourceIps,
      userAgent: shownUserAgent(userAgent),
      objectRef: this.#reference(captured),
      responseStatus: this.#shownStatus(captured),
      requestObject: this.showsRequest ? requestObject : undefined,
      responseObject: this.#shownResponse(captured),
      requestReceivedTimestamp: this.#receivedAt,
      stageTimestamp: stage === 'RequestReceived' ? this.#receivedAt : microTime(),
      annotations: this.#annotations.size === 0 ? undefined : sortedRecord(this.#annotations),
    };
  }

  #shownRequest({ requestObject }: Captured): unknown {
    const { target } = this.#request;
    if (requestObject === undefined || (!this.showsRequest && !containsSecrets(target))) return undefined;
    const { omitManagedFields } = this.config;
    return redactRequest(requestObject, { target, found: this.#secrets, omitManagedFields });
  }

  #shownResponse(captured: Captured): unknown {
    const { responseObject } = captured;
    if (responseObject === undefined || !this.showsResponse) return undefined;
    const { target } = this.#request;
    if (isRecord(responseObject) && responseObject.kind === 'Status') {
      return this.#withoutSecrets(responseObject, captured);
    }
    return redactResponse(responseObject, { target, omitManagedFields: this.config.omitManagedFields });
  }

  #shownStatus(captured: Captured): AuditStatus | undefined {
    return captured.status && this.#withoutSecrets(captured.status, captured);
  }

  /** The secrets of an undecodable body are unknown, so the message might quote one and is removed. */
  #withoutSecrets<T extends { message?: unknown; details?: unknown }>(
    status: T,
    { isUnreadable = false }: Captured,
  ): T {
    const clean = scrub(status, this.#secrets);
    if (!isUnreadable || clean.message === undefined || !this.holdsSecrets) return clean;
    const { details, ...rest } = clean;
    return { ...rest, message: redacted } as T;
  }

  #reference({ requestObject, namesItself = false }: Captured): ObjectReference | undefined {
    const { target } = this.#request;
    if (target === undefined) return undefined;
    const metadata =
      namesItself && isRecord(requestObject) && isRecord(requestObject.metadata) ? requestObject.metadata : {};
    const { group, version, resource, subresource, namespace, name } = target;
    const reference: ObjectReference = { resource };
    put(reference, 'namespace', namespace || text(metadata.namespace));
    put(reference, 'name', name || text(metadata.name));
    put(reference, 'uid', text(metadata.uid));
    put(reference, 'apiGroup', group);
    put(reference, 'apiVersion', version);
    put(reference, 'resourceVersion', text(metadata.resourceVersion));
    put(reference, 'subresource', subresource);
    return reference;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function put(reference: ObjectReference, key: keyof ObjectReference, value: string): void {
  if (value !== '') reference[key] = value;
}

function shownUserAgent(userAgent: string | undefined): string | undefined {
  if (userAgent === undefined || userAgent.length <= maxUserAgentLength) return userAgent || undefined;
  return `${userAgent.slice(0, maxUserAgentLength)}...TRUNCATED`;
}

/** Converts a user for events. Without a user, the result is empty. */
function formatUser(user: UserInfo | undefined): AuditUser {
  const shown: AuditUser = {};
  if (user === undefined) return shown;
  if (user.name !== '') shown.username = user.name;
  if (user.uid !== '') shown.uid = user.uid;
  if (user.groups.length > 0) shown.groups = user.groups;
  const extra = new Map(Object.entries(user.extra).map(([key, values]) => [key, redactExtra(key, values)] as const));
  if (extra.size > 0) shown.extra = sortedRecord(extra);
  return shown;
}

function redactExtra(key: string, values: readonly string[]): readonly string[] {
  return secretExtra.test(key) ? values.map(() => redacted) : values;
}

/** Sorts keys as Go does when it encodes a map. */
function sortedRecord<V>(entries: ReadonlyMap<string, V>): Record<string, V> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
