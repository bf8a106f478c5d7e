/** The server has broken a promise. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** Refusals that say that the server cannot, not that the request is wrong. */
export function isUnavailable(status: number | undefined): boolean {
  return status === 429 || status === 500 || status === 503 || status === 504;
}

/** A server that may be away may say so, otherwise it breaks a promise. */
export function refusal(what: string, status: number | undefined, message: string | undefined): Error {
  const text = `${what} was answered with ${status}: ${message}`;
  return isUnavailable(status) ? new Error(text) : new Violation(text);
}
