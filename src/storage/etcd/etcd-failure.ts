import { StorageError } from '../storage.ts';

// The gRPC codes that are distinguished.
const invalidArgument = 3;
const notFound = 5;
const permissionDenied = 7;
const resourceExhausted = 8;
const failedPrecondition = 9;
const outOfRange = 11;
const unimplemented = 12;
const unauthenticated = 16;

/**
 * The meaning of a failed call:
 * - `refused`: the request was not executed. Another member may accept it.
 * - `rejected`: the request was not executed and never will be.
 * - `unknown`: the request may have been executed, or may still be.
 */
export type FailureKind = 'refused' | 'rejected' | 'unknown';

interface CallError extends Error {
  readonly code?: number;
  readonly details?: string;
}

/** Responses that a member gives before it executes a request, and failures to send one. */
const refusals = [
  'etcdserver: no leader',
  'etcdserver: too many requests',
  'Stream refused by server',
  'the request was not sent',
];

export function failureKind(error: CallError): FailureKind {
  const { code, details = '' } = error;
  if (refusals.some((text) => details.includes(text))) return 'refused';
  switch (code) {
    case invalidArgument:
    case notFound:
    case permissionDenied:
    case resourceExhausted:
    case failedPrecondition:
    case outOfRange:
    case unimplemented:
    case unauthenticated:
      return 'rejected';
    default:
      return 'unknown';
  }
}

/** Whether the lease of a write has expired. */
export function isLeaseNotFound(error: unknown): boolean {
  return (error as CallError).code === notFound && /lease not found/.test((error as CallError).details ?? '');
}

/** Whether a lease has been granted before. */
export function isLeaseExisting(error: unknown): boolean {
  return (
    (error as CallError).code === failedPrecondition && /lease already exists/.test((error as CallError).details ?? '')
  );
}

/** Whether a response was larger than this client accepts. */
export function isResponseTooLarge(error: unknown): boolean {
  const { code, details = '' } = error as CallError;
  return code === resourceExhausted && /^Received message larger than max/.test(details);
}

/** Converts an error to that of the `Storage` contract. `write`: the call, if executed, has changed something. */
export function storageErrorOf(error: unknown, { write = false } = {}): Error {
  if (error instanceof StorageError) return error;
  const cause = error as CallError;
  const message = cause.details ?? cause.message;
  if (/required revision has been compacted/.test(message)) {
    return new StorageError('RevisionCompacted', message, { cause });
  }
  if (/required revision is a future revision/.test(message)) {
    return new StorageError('RevisionInFuture', message, { cause });
  }
  if (/request is too large|received message larger than max|trying to send message larger/.test(message)) {
    return new StorageError('TooLarge', message, { cause });
  }
  const outcome = write && failureKind(cause) === 'unknown' ? 'OutcomeUnknown' : 'Unavailable';
  return new StorageError(outcome, message, { cause });
}
