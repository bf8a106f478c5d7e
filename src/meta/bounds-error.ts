import { DecodeError } from './decode-error.ts';

/** Input that exceeds a size limit. Decoding it in another way would fail in the same way, so callers do not retry. */
export class BoundsError extends DecodeError {
  constructor(message: string) {
    super(message);
    this.name = 'BoundsError';
  }
}
