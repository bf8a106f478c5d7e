import { DecodeError } from '../../meta/decode-error.ts';

/** Thrown for well-formed input with refused content. Carries the kind and apiVersion that the item states. */
export class CborContentError extends DecodeError {
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
