/** Why an expression cannot be compiled, or gave no value. The message is for whoever wrote the expression. */
export class CelError extends Error {
  override readonly name = 'CelError';
}
