import { DecodeError } from './decode-error.ts';

/** Input that holds more than is read of anybody. Another way to read it would find the same. */
export class BoundsError extends DecodeError {
  constructor(message: string) {
    super(message);
    this.name = 'BoundsError';
  }
}
