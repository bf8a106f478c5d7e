/** `instantiation`: a constant part of the expression has no value. */
export type CelErrorCode = 'compile' | 'instantiation' | 'runtime' | 'cost-limit';

/**
 * A compilation or evaluation error. The message is for the author of the expression. It has no stack: operators that
 * absorb errors may create very many.
 */
export class CelError extends Error {
  override readonly name = 'CelError';
  readonly code: CelErrorCode;

  constructor(message: string, code: CelErrorCode = 'runtime') {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = limit;
    this.code = code;
  }
}

/** One shared object, because it may be thrown very often. */
export const costLimitExceeded = new CelError('operation cancelled: actual cost limit exceeded', 'cost-limit');

export function instantiationError(problem: string): CelError {
  return new CelError(`program instantiation failed: ${problem}`, 'instantiation');
}

/** Whether `&&`, `||` and similar operators may ignore the error. */
export function isAbsorbable(error: unknown): error is CelError {
  return error instanceof CelError && error.code !== 'cost-limit' && error.code !== 'instantiation';
}

export const noSuchOverload = (): CelError => new CelError('no such overload');
