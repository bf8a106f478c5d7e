import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { UserInfo } from '../meta/user.ts';
import type { AuditEvent, AuditSink, AuditStatus, ObjectReference } from './audit-event.ts';
import { auditUser } from './audit-user.ts';
import { isRecord } from './hide.ts';
import { microTime } from './micro-time.ts';
import type { AuditConfig, Stage } from './policy-document.ts';
import { type BodyTarget, holdsSecrets, redactAnswer, redactRequest } from './redact-body.ts';
import { redactUri } from './redact-uri.ts';
import { redacted } from './redacted.ts';
import { scrub } from './scrub.ts';
import { sortedRecord } from './sorted-record.ts';

/** What is known of a request before anything is done with it. */
export interface RecordedRequest {
  readonly auditId: string;
  readonly path: string;
  readonly query: string;
  readonly verb: string;
  /** Who makes it; undefined when nobody knows. */
  readonly user: UserInfo | undefined;
  readonly sourceIps: readonly string[];
  readonly userAgent: string | undefined;
  /** Undefined outside of the resources. */
  readonly target:
    | (BodyTarget & { readonly version: string; readonly namespace: string; readonly name: string })
    | undefined;
}

/** What has been learned of a request until the stage that is told. */
export interface Captured {
  readonly status?: AuditStatus | undefined;
  /** Undefined without a readable body. */
  readonly requestObject?: unknown;
  /** There is a body, but it cannot be read. */
  readonly isUnreadable?: boolean;
  /** The body is an object and no patch: what it says of itself is told in every level. */
  readonly namesItself?: boolean;
  readonly responseObject?: unknown;
  readonly impersonatedUser?: UserInfo | undefined;
}

const longestUserAgent = 1024;
const truncatedKey = 'audit.k8s.io/truncated';

/** The events of one request. What it is given may hold secrets; what it gives to the sink has none. */
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

  /** Whether bodies are shown in the events of this level. */
  get showsRequest(): boolean {
    const { level } = this.config;
    return this.#request.target !== undefined && (level === 'Request' || level === 'RequestResponse');
  }

  get showsResponse(): boolean {
    return this.#request.target !== undefined && this.config.level === 'RequestResponse';
  }

  /** Whether bodies have to be read even where they are not shown, to know what must not be quoted. */
  get holdsSecrets(): boolean {
    return holdsSecrets(this.#request.target);
  }

  /** Goes into the events from here on. The first value of a key stays. */
  annotate(key: string, value: string): void {
    if (!this.#annotations.has(key)) this.#annotations.set(key, value);
  }

  /** Says in the events that there was more than they show. */
  markTruncated(): void {
    this.annotate(truncatedKey, 'true');
  }

  /** Tells the sink that this stage is reached, unless the policy leaves it out. False when the request must not go on. */
  reach(stage: Stage, captured: Captured = {}): MaybePromise<boolean> {
    return this.config.omitted.has(stage) ? true : this.#sink.write(this.#event(stage, captured));
  }

  #event(stage: Stage, captured: Captured): AuditEvent {
    const { auditId, verb, user, sourceIps, userAgent } = this.#request;
    // First of all, because it finds the secrets that the rest is searched for.
    const requestObject = this.#shownRequest(captured);
    return {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: this.config.level,
      auditID: auditId,
      stage,
      requestURI: this.#requestUri,
      verb,
      user: auditUser(user),
      impersonatedUser: captured.impersonatedUser && auditUser(captured.impersonatedUser),
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
    if (requestObject === undefined || (!this.showsRequest && !holdsSecrets(target))) return undefined;
    const { omitManagedFields } = this.config;
    return redactRequest(requestObject, { target, found: this.#secrets, omitManagedFields });
  }

  #shownResponse({ responseObject, isUnreadable = false }: Captured): unknown {
    if (responseObject === undefined || !this.showsResponse) return undefined;
    const { target } = this.#request;
    if (isRecord(responseObject) && responseObject.kind === 'Status') {
      return this.#withoutSecrets(responseObject, isUnreadable);
    }
    return redactAnswer(responseObject, { target, omitManagedFields: this.config.omitManagedFields });
  }

  #shownStatus({ status, isUnreadable = false }: Captured): AuditStatus | undefined {
    return status && this.#withoutSecrets(status, isUnreadable);
  }

  /** What a body that cannot be read holds is unknown, so nobody knows either what is quoted of it. */
  #withoutSecrets<T extends { message?: unknown; details?: unknown }>(status: T, isUnreadable: boolean): T {
    const clean = scrub(status, this.#secrets);
    if (!isUnreadable || clean.message === undefined || !this.holdsSecrets) return clean;
    const { details, ...rest } = clean;
    return { ...rest, message: redacted } as T;
  }

  #reference({ requestObject, namesItself = false }: Captured): ObjectReference | undefined {
    const { target } = this.#request;
    if (target === undefined) return undefined;
    const said =
      namesItself && isRecord(requestObject) && isRecord(requestObject.metadata) ? requestObject.metadata : {};
    const { group, version, resource, subresource, namespace, name } = target;
    const reference: ObjectReference = { resource };
    put(reference, 'namespace', namespace || text(said.namespace));
    put(reference, 'name', name || text(said.name));
    put(reference, 'uid', text(said.uid));
    put(reference, 'apiGroup', group);
    put(reference, 'apiVersion', version);
    put(reference, 'resourceVersion', text(said.resourceVersion));
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
  if (userAgent === undefined || userAgent.length <= longestUserAgent) return userAgent || undefined;
  return `${userAgent.slice(0, longestUserAgent)}...TRUNCATED`;
}
