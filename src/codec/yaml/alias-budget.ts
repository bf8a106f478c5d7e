import { DecodeError } from '../../meta/decode-error.ts';

/** Up to this number of values, most of them may come from aliases. */
const small = 400_000;
/** From this number of values on, only few may come from aliases. */
const large = 4_000_000;
const maxRatioOfSmall = 0.99;
const maxRatioOfLarge = 0.1;
const freeValues = 1000;
/** Applies regardless of the ratio. No reasonable document needs more. */
const maxAliased = 10_000;
const freeAliased = 100;
/** Limits the length of aliased strings, because a few long strings pass the limits on the number of values. */
const maxText = 16 * 1024 * 1024;

/** Limits the expansion of aliases, so that a small document cannot become gigabytes. */
export class AliasBudget {
  #values = 0;
  #aliased = 0;
  #text = 0;

  count(): void {
    this.#values++;
  }

  /** Throws if too many of the values so far come from aliases. */
  countAliased(textLength: number): void {
    this.#values++;
    this.#aliased++;
    this.#text += textLength;
    const isRatioLimited = this.#aliased > freeAliased && this.#values > freeValues;
    const exceedsRatio = isRatioLimited && this.#aliased > this.#values * this.#allowedRatio();
    if (exceedsRatio || this.#aliased > maxAliased || this.#text > maxText) {
      throw new DecodeError('yaml: document contains excessive aliasing');
    }
  }

  #allowedRatio(): number {
    if (this.#values <= small) return maxRatioOfSmall;
    if (this.#values >= large) return maxRatioOfLarge;
    return maxRatioOfSmall - ((maxRatioOfSmall - maxRatioOfLarge) * (this.#values - small)) / (large - small);
  }
}
