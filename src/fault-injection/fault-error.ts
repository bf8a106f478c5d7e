import { StatusError } from '../meta/status-error.ts';
import type { FaultStatus } from './fault-rule.ts';

/** The reasons that clients expect with a code. */
const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** Creates the error that a rule defines. */
export function faultError({ code, reason, message, retryAfterSeconds }: FaultStatus): StatusError {
  return new StatusError({
    code,
    reason: reason ?? reasons[code] ?? '',
    message: message ?? 'a fault was injected',
    ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
  });
}
