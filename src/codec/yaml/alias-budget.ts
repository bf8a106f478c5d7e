import { DecodeError } from '../../meta/decode-error.ts';

/** Of a document of this many values, most may come from aliases. */
const small = 400_000;
/** Of one with this many, few may. */
const large = 4_000_000;
const maxRatioOfSmall = 0.99;
const maxRatioOfLarge = 0.1;
const freeValues = 1000;
/** Whatever else there is: who repeats more writes a program. */
const maxAliased = 10_000;
const freeAliased = 100;
/** Long texts are few values, but are written out as often as they are referred to. */
const maxText = 16 * 1024 * 1024;

/** Counts what aliases make of a document, so that a few lines cannot become gigabytes. */
export class AliasBudget {
  #values = 0;
  #aliased = 0;
  #text = 0;

  count(): void {
    this.#values++;
  }

  /** Throws when too many of the values so far are copies. */
  countAliased(textLength: number): void {
    this.#values++;
    this.#aliased++;
    this.#text += textLength;
    const isMuch = this.#aliased > freeAliased && this.#values > freeValues;
    const isTooMuch = isMuch && this.#aliased > this.#values * this.#allowedRatio();
    if (isTooMuch || this.#aliased > maxAliased || this.#text > maxText) {
      throw new DecodeError('yaml: document contains excessive aliasing');
    }
  }

  #allowedRatio(): number {
    if (this.#values <= small) return maxRatioOfSmall;
    if (this.#values >= large) return maxRatioOfLarge;
    return maxRatioOfSmall - ((maxRatioOfSmall - maxRatioOfLarge) * (this.#values - small)) / (large - small);
  }
}
