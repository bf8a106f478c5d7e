import { type StatusError, serviceUnavailable, tooLargeBody } from '../meta/status-error.ts';

/** Whether storage refused a value for its size. */
export function isTooLarge(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === 'TooLarge';
}

/** What a client is told when storage refuses a write. Anything else is passed on as it is. */
export function writeFailure(error: unknown): StatusError | unknown {
  switch ((error as { code?: unknown }).code) {
    case 'TooLarge':
      return tooLargeBody((error as Error).message, { cause: error });
    case 'Unavailable':
    case 'Closed':
      return serviceUnavailable(`storage does not take writes: ${(error as Error).message}`, 1);
    default:
      return error;
  }
}
