import { DecodeError } from '../../meta/decode-error.ts';

/** The item says what it is, but something in it cannot be taken. */
export class CborContentError extends DecodeError {
  /** What the item says of itself. */
  readonly kind: unknown;
  readonly apiVersion: unknown;

  constructor(message: string, item: unknown) {
    super(message);
    this.name = 'CborContentError';
    const { kind, apiVersion } = (item ?? {}) as { kind?: unknown; apiVersion?: unknown };
    this.kind = kind;
    this.apiVersion = apiVersion;
  }
}
