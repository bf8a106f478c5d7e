import type { AdmissionContext, RequestOptions } from '../admission/index.ts';
import type { Credentials, Peer } from '../authn/index.ts';
import type { Decision } from '../authz/index.ts';
import { type Compatibility, specification } from '../meta/compatibility.ts';
import { unauthorized } from '../meta/status-error.ts';
import type { UserInfo } from '../meta/user.ts';
import type { Resource } from '../registry/index.ts';
import type { AdmissionExplanation } from './admission-explanation.ts';
import type { Exchange } from './exchange.ts';
import type { ObjectFormats } from './object-formats.ts';
import { type RequestStage, RequestStages } from './observation/request-stages.ts';
import type { RequestInfo } from './request-info.ts';
import { WarningHeaders } from './warning-headers.ts';
import type { WatchOutput } from './watch/watch-output.ts';

/** One request on its way through the pipeline. Each filter sets what later ones need. */
export class RequestContext implements Credentials {
  exchange: Exchange;
  /** The encodings and representations that the server supports for the requested type. */
  formats: ObjectFormats;
  /** What decides where the specification and kube-apiserver differ. */
  readonly compatibility: Compatibility;
  info: RequestInfo;
  /** The user that the request runs as: the impersonated one, if any. */
  user: UserInfo | undefined;
  /** The user that the request asks to run as, by its headers or its session. Undefined without impersonation. */
  requestedUser: UserInfo | undefined;
  /** The authenticated user of an impersonating request. Undefined otherwise. */
  impersonator: UserInfo | undefined;
  /** The verb of the constrained mode that permits the impersonation. Undefined in the unconstrained mode. */
  impersonationConstraint: string | undefined;
  /** The last decision of the authorizer. */
  decision: Decision | undefined;
  /** When the request arrived, in milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** The time when a synchronous handler finished, if it was measured. */
  handledAt: number | undefined;
  /** Undefined for a request that has not waited for anything. */
  stages: RequestStages | undefined;
  /** How long the request waited for other requests or webhooks, in milliseconds. */
  waitedMs: number;
  /** The type that the request addresses. Undefined before the router has found it. */
  resource: Resource | undefined;
  /** When the request times out, in milliseconds of `performance.now()`. Undefined when it does not. */
  deadline: number | undefined;
  /** What the client is told when the request times out. */
  timeoutText: string;
  /** The `traceparent` header (W3C Trace Context) for requests to other servers. Undefined without tracing. */
  traceParent: (() => string) | undefined;
  /** Collects the steps of admission. Undefined when they are not explained. */
  explanation: AdmissionExplanation | undefined;
  /** Wraps the output of a watch. Undefined when there is no stage between the watch and its client. */
  interceptWatch: ((output: WatchOutput) => WatchOutput) | undefined;
  #isOthersSession: boolean;
  #query: URLSearchParams | undefined;
  #warnings: WarningHeaders | undefined;

  constructor(exchange: Exchange, info: RequestInfo, formats: ObjectFormats, compatibility = specification) {
    this.exchange = exchange;
    this.formats = formats;
    this.compatibility = compatibility;
    this.info = info;
    this.user = undefined;
    this.requestedUser = undefined;
    this.impersonator = undefined;
    this.impersonationConstraint = undefined;
    this.decision = undefined;
    this.startedAt = performance.now();
    this.handledAt = undefined;
    this.stages = undefined;
    this.waitedMs = 0;
    this.resource = undefined;
    this.deadline = undefined;
    this.timeoutText = 'request did not complete within the allotted timeout';
    this.traceParent = undefined;
    this.explanation = undefined;
    this.interceptWatch = undefined;
    this.#isOthersSession = false;
  }

  /** The user. Throws the 401 when there is none. */
  get knownUser(): UserInfo {
    if (this.user === undefined) throw unauthorized();
    return this.user;
  }

  /**
   * The user who reads the response: the impersonating one, who asks for the impersonation with the request. A session of
   * an impersonated user is in the hands of that user.
   */
  get reader(): UserInfo {
    return this.#isOthersSession || this.impersonator === undefined ? this.knownUser : this.impersonator;
  }

  get connection(): Peer {
    return this.exchange.connection;
  }

  get path(): string {
    return this.info.path;
  }

  get rawHeaders(): readonly string[] {
    return this.exchange.rawHeaders;
  }

  header(name: string): string | undefined {
    return this.exchange.header(name);
  }

  /** Parsed on first use. */
  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(readablePairs(this.exchange.query));
    return this.#query;
  }

  /** The first value of a query parameter, empty when absent. */
  parameter(name: string): string {
    return this.exchange.query === '' ? '' : (this.query.get(name) ?? '');
  }

  /** Called when the request has waited for something. */
  reached(stage: RequestStage): void {
    this.stages ??= new RequestStages();
    this.stages.reached(stage, performance.now());
  }

  /** Input of admission for a write: the client's options, and the receivers of warnings and annotations. */
  admissionContext(options: RequestOptions): AdmissionContext {
    const annotate: AdmissionContext['annotate'] = (key, value, about) => this.exchange.annotate?.(key, value, about);
    const waited = (ms: number): void => {
      this.waitedMs += ms;
    };
    const { deadline, traceParent } = this;
    return { options, annotate, deadline, explain: this.explanation?.add, waited, traceParent };
  }

  runAs(user: UserInfo): void {
    this.requestedUser = user;
    this.#isOthersSession = true;
  }

  /** Adds a `Warning` header to the response. Repeated texts are sent once. */
  readonly warn = (text: string): void => {
    this.#warnings ??= new WarningHeaders();
    this.#warnings.add(text);
    this.exchange.setHeader('warning', this.#warnings.values);
  };
}

/** Drops pairs that Go does not accept either: those with an invalid escape sequence or a semicolon. */
function readablePairs(query: string): string {
  if (!/[%;]/.test(query)) return query;
  return query
    .split('&')
    .filter((pair) => !/;|%(?![0-9a-fA-F]{2})/.test(pair))
    .join('&');
}
