import { joinedErrors } from '../../meta/joined-errors.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import { type OpenedValue, UnreadableValueError, type ValueProvider } from '../value-provider.ts';

export interface PrefixedProvider {
  /** The prefix of stored values of the provider. Empty for unencrypted values. */
  readonly prefix: string;
  readonly provider: ValueProvider;
}

interface Choice {
  readonly prefix: Buffer;
  readonly provider: ValueProvider;
}

/**
 * Writes with the first provider and reads with any provider whose prefix matches the value. Values of other providers
 * than the first are stale. Several may have the same prefix, such as two providers of one type with different keys, so
 * the next provider is tried after a failure.
 */
export class PrefixedProviders implements ValueProvider {
  readonly #choices: readonly Choice[];
  readonly #noMatch: string;

  /** `noMatch` is the error message for values with another prefix. */
  constructor(providers: readonly PrefixedProvider[], noMatch: string) {
    this.#choices = providers.map(({ prefix, provider }) => ({ prefix: Buffer.from(prefix), provider }));
    this.#noMatch = noMatch;
  }

  seal(value: Buffer, key: string): Buffer[] {
    const { prefix, provider } = this.#choices[0]!;
    return [prefix, ...provider.seal(value, key)];
  }

  open(sealed: Buffer, key: string): MaybePromise<OpenedValue> {
    return this.#openFrom(0, { sealed, key, problems: [] });
  }

  #openFrom(
    start: number,
    attempt: { readonly sealed: Buffer; readonly key: string; readonly problems: string[] },
  ): MaybePromise<OpenedValue> {
    const { sealed, key, problems } = attempt;
    for (let index = start; index < this.#choices.length; index++) {
      const { prefix, provider } = this.#choices[index]!;
      if (!sealed.subarray(0, prefix.length).equals(prefix)) continue;
      const failed = (error: unknown): void => {
        if (!(error instanceof UnreadableValueError)) throw error;
        // Every value matches an empty prefix, so a failure of `identity` says nothing about the value.
        if (prefix.length > 0) problems.push(error.message);
      };
      const opened = (result: OpenedValue): OpenedValue => (index === 0 ? result : { ...result, stale: true });
      try {
        const result = provider.open(sealed.subarray(prefix.length), key);
        if (!(result instanceof Promise)) return opened(result);
        return result.then(opened, (error: unknown) => {
          failed(error);
          return this.#openFrom(index + 1, attempt);
        });
      } catch (error) {
        failed(error);
      }
    }
    throw new UnreadableValueError(joinedErrors(problems) || this.#noMatch);
  }
}
