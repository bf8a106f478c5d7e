import type { Compatibility } from './compatibility.ts';
import { type FieldError, fieldErrorText } from './field-error.ts';
import { goQuote } from './go-quote.ts';
import { type GroupKind, type GroupResource, qualifiedKind, qualifiedResource } from './group-version.ts';
import { joinedErrors } from './joined-errors.ts';

export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/**
 * The body of every response that is not an object of the requested type. The keys are in the order of the encoding.
 */
export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: { continue?: string };
  status: 'Failure' | 'Success';
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
}

/** The only error that is sent to clients unchanged. The code that renders errors turns all others into a 500. */
export class StatusError extends Error {
  readonly status: Status & { code: number };

  constructor(fields: StatusFields, options?: ErrorOptions) {
    super(fields.message, options);
    this.name = 'StatusError';
    const { code, reason, message, details, continueToken } = fields;
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: continueToken === undefined ? {} : { continue: continueToken },
      status: 'Failure',
      ...(message !== '' && { message }),
      ...(reason !== '' && { reason }),
      ...(details !== undefined && { details }),
      code,
    };
  }
}

interface StatusFields {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: StatusDetails;
  readonly continueToken?: string;
}

/** The decisions about errors: on for the error of the specification. */
export type ErrorDecision = {
  [name in keyof Compatibility]: Compatibility[name] extends boolean ? name : never;
}[keyof Compatibility];

/**
 * An error on which the specification and kube-apiserver differ. It is the one of the specification. The code that
 * renders errors sends the other one where the decision is off.
 */
export class DecidedError extends StatusError {
  readonly decision: ErrorDecision;
  /** The error of kube-apiserver. */
  readonly original: StatusError;

  constructor(own: StatusError, { decision, original }: { decision: ErrorDecision; original: StatusError }) {
    const { code, reason = '', message = '', details } = own.status;
    super({ code, reason, message, ...(details && { details }) }, { cause: own.cause });
    this.decision = decision;
    this.original = original;
  }
}

function resourceDetails({ group, resource }: GroupResource, name: string): StatusDetails {
  return { ...(name !== '' && { name }), ...(group !== '' && { group }), kind: resource };
}

export function badRequest(message: string, options?: ErrorOptions): StatusError {
  return new StatusError({ code: 400, reason: 'BadRequest', message }, options);
}

/**
 * The error for a mistake of the client that kube-apiserver does not classify. It answers 500 without a reason, as for a
 * fault of its own. The message is the same by default.
 */
export function unclassified(message: string, options?: ErrorOptions, originalMessage = message): DecidedError {
  const original = new StatusError({ code: 500, reason: '', message: originalMessage });
  return new DecidedError(badRequest(message, options), { decision: 'classifiesErrors', original });
}

export function unauthorized(): StatusError {
  return new StatusError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
}

/** The error for a request to a resource. `name` may be empty. */
export function forbidden(
  resource: GroupResource,
  name: string,
  detail: string,
  causes: StatusCause[] = [],
): StatusError {
  const quoted = name === '' ? '' : ` ${goQuote(name)}`;
  return new StatusError({
    code: 403,
    reason: 'Forbidden',
    message: `${qualifiedResource(resource)}${quoted} is forbidden: ${detail}`,
    details: { ...resourceDetails(resource, name), ...(causes.length > 0 && { causes }) },
  });
}

/** The error for a request to a path that is not a resource. */
export function forbiddenPath(detail: string): StatusError {
  return new StatusError({ code: 403, reason: 'Forbidden', message: `forbidden: ${detail}`, details: {} });
}

export function notFound(resource: GroupResource, name: string): StatusError {
  return new StatusError({
    code: 404,
    reason: 'NotFound',
    message: `${qualifiedResource(resource)} ${goQuote(name)} not found`,
    details: resourceDetails(resource, name),
  });
}

/** The error for an unknown path below a known group version. */
export function routeNotFound(): StatusError {
  const message = 'the server could not find the requested resource';
  return new StatusError({ code: 404, reason: 'NotFound', message, details: {} });
}

/** The error for a method that a known path does not support. */
export function routeMethodNotAllowed(): StatusError {
  const message = 'the server does not allow this method on the requested resource';
  return new StatusError({ code: 405, reason: 'MethodNotAllowed', message, details: {} });
}

export function methodNotSupported(resource: GroupResource, action: string): StatusError {
  return new StatusError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: `${action} is not supported on resources of kind ${goQuote(qualifiedResource(resource))}`,
    details: resourceDetails(resource, ''),
  });
}

export function notAcceptable(message: string): StatusError {
  return new StatusError({ code: 406, reason: 'NotAcceptable', message });
}

export function alreadyExists(resource: GroupResource, name: string, prefix = ''): StatusError {
  return new StatusError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${prefix}${qualifiedResource(resource)} ${goQuote(name)} already exists`,
    details: resourceDetails(resource, name),
  });
}

export function generatedNameTaken(resource: GroupResource, name: string): StatusError {
  const unable = 'the server was not able to generate a unique name for the object';
  return new StatusError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${qualifiedResource(resource)} ${goQuote(name)} already exists, ${unable}`,
    details: { ...resourceDetails(resource, name), retryAfterSeconds: 1 },
  });
}

export function conflict(resource: GroupResource, name: string, detail: string): StatusError {
  return new StatusError({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualifiedResource(resource)} ${goQuote(name)}: ${detail}`,
    details: resourceDetails(resource, name),
  });
}

export function staleVersion(resource: GroupResource, name: string): StatusError {
  return conflict(
    resource,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );
}

export function expired(message: string, continueToken?: string): StatusError {
  return new StatusError({ code: 410, reason: 'Expired', message, continueToken });
}

/** The error for an object that the store refuses for its size. */
export function tooLargeObject(detail: string, options?: ErrorOptions): DecidedError {
  const original = new StatusError({ code: 500, reason: '', message: 'etcdserver: request is too large' });
  return new DecidedError(tooLargeBody(detail, options), { decision: 'namesStoreLimit', original });
}

export function tooLargeBody(detail: string, options?: ErrorOptions): StatusError {
  const message = `Request entity too large: ${detail}`;
  return new StatusError({ code: 413, reason: 'RequestEntityTooLarge', message }, options);
}

export function unsupportedMediaType(message: string, details?: StatusDetails): StatusError {
  return new StatusError({ code: 415, reason: 'UnsupportedMediaType', message, details });
}

/** The client may retry, after `retryAfterSeconds` if that is positive. */
export function tooManyRequests(message: string, causes: StatusCause[], retryAfterSeconds = 0): StatusError {
  const details = { causes, ...(retryAfterSeconds > 0 && { retryAfterSeconds }) };
  return new StatusError({ code: 429, reason: 'TooManyRequests', message, details });
}

/** Limits how many validation errors a response lists. */
const maxFindings = 1_000;

/** Reports all validation errors together. The message has no duplicate texts, but each error is a separate cause. */
export function invalid(kind: GroupKind, name: string, found: readonly FieldError[]): StatusError {
  const errors = found.slice(0, maxFindings);
  const all = joinedErrors([...errors.map(fieldErrorText), ...moreThan(found.length)]);
  return new StatusError({
    code: 422,
    reason: 'Invalid',
    message: `${qualifiedKind(kind)} ${goQuote(name)} is invalid${all === '' ? '' : `: ${all}`}`,
    details: {
      ...(name !== '' && { name }),
      ...(kind.group !== '' && { group: kind.group }),
      ...(kind.kind !== '' && { kind: kind.kind }),
      ...(errors.length > 0 && { causes: errors.map(({ reason, message, field }) => ({ reason, message, field })) }),
    },
  });
}

/** The error for options in the query, which kube-apiserver finds invalid. */
export function badOptions(decision: ErrorDecision, kind: string, errors: readonly FieldError[]): DecidedError {
  const message = `${kind}.meta.k8s.io "" is invalid: ${joinedErrors(errors.map(fieldErrorText))}`;
  const original = invalid({ group: 'meta.k8s.io', kind }, '', errors);
  return new DecidedError(badRequest(message), { decision, original });
}

function moreThan(found: number): string[] {
  return found > maxFindings ? [`and ${found - maxFindings} more`] : [];
}

/**
 * The error for a well-formed request that cannot be carried out. The reason is not sent to the client; `cause` is for
 * the log.
 */
export function unprocessable(options?: ErrorOptions): StatusError {
  const message = 'the server rejected our request due to an error in our request';
  return new StatusError({ code: 422, reason: 'Invalid', message, details: {} }, options);
}

export function internalError(detail: string, options?: ErrorOptions): StatusError {
  const message = `Internal error occurred: ${detail}`;
  return new StatusError(
    { code: 500, reason: 'InternalError', message, details: { causes: [{ message: detail }] } },
    options,
  );
}

export function serviceUnavailable(message: string, retryAfterSeconds = 0): StatusError {
  const details = retryAfterSeconds > 0 ? { retryAfterSeconds } : undefined;
  return new StatusError({ code: 503, reason: 'ServiceUnavailable', message, details });
}

export function timeout(detail: string, retryAfterSeconds = 0): StatusError {
  const details = retryAfterSeconds > 0 ? { retryAfterSeconds } : {};
  return new StatusError({ code: 504, reason: 'Timeout', message: `Timeout: ${detail}`, details });
}

export function resourceVersionTooLarge(requested: number | bigint, current: number): StatusError {
  return new StatusError({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${requested}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });
}
