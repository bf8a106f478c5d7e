/** The server has violated a guarantee. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** Whether the status means that the server is unavailable, not that the request is wrong. */
export function isUnavailable(status: number | undefined): boolean {
  return status === 429 || status === 500 || status === 503 || status === 504;
}

/** Returns the error for an unexpected status. It is a violation unless the server is unavailable. */
export function refusal(what: string, status: number | undefined, message: string | undefined): Error {
  const text = `${what} was answered with ${status}: ${message}`;
  return isUnavailable(status) ? new Error(text) : new Violation(text);
}
