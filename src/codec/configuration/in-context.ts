import { DecodeError } from '../../meta/decode-error.ts';

/** Runs a function that reads a configuration. Throws a RangeError prefixed with the context when it is invalid. */
export function inContext<T>(context: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof DecodeError)) throw error;
    throw new RangeError(`${context}: ${error.message}`, { cause: error });
  }
}
