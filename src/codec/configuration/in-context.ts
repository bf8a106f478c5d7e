import { DecodeError } from '../../meta/decode-error.ts';

/** Runs what reads a configuration. What is wrong with that is a RangeError, which begins with the context. */
export function inContext<T>(context: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof DecodeError)) throw error;
    throw new RangeError(`${context}: ${error.message}`, { cause: error });
  }
}
