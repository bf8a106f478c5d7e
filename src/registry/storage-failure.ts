import { type StatusError, serviceUnavailable, timeout, tooLargeObject } from '../meta/status-error.ts';

/** Whether storage rejected a value for its size. */
export function isTooLarge(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === 'TooLarge';
}

/** Turns an error of storage for a read into a Status error. Returns other errors unchanged. */
export function readFailure(error: unknown): StatusError | unknown {
  switch ((error as { code?: unknown }).code) {
    case 'Unavailable':
    case 'Closed':
      return serviceUnavailable(`storage does not respond: ${(error as Error).message}`, 1);
    default:
      return error;
  }
}

/** Turns an error of storage for a write into a Status error. Returns other errors unchanged. */
export function writeFailure(error: unknown): StatusError | unknown {
  switch ((error as { code?: unknown }).code) {
    case 'TooLarge':
      return tooLargeObject((error as Error).message, { cause: error });
    case 'Unavailable':
    case 'Closed':
      return serviceUnavailable(`storage does not take writes: ${(error as Error).message}`, 1);
    case 'OutcomeUnknown':
      // Clients retry by themselves. If the write has succeeded, the retry of a create or of an update with a version
      // is rejected.
      return timeout((error as Error).message, 1);
    default:
      return error;
  }
}
