/** A compilation or evaluation error. The message is for the author of the expression. */
export class CelError extends Error {
  override readonly name = 'CelError';
}
