import type { AdmissionStep } from '../admission/index.ts';
import { encodeJson } from '../codec/json/index.ts';
import type { Exchange } from './exchange.ts';

/** Clients limit the total size of all headers. Node.js accepts 16 KiB. */
const maxHeaderLength = 8 * 1024;
/** A deletion of a collection may have thousands of steps. */
const maxSteps = 32;
const header = 'keelson-admission';
/** Headers are ASCII. JSON can escape everything else. */
const notAscii = /[^\x20-\x7e]/g;

/**
 * Reports the steps of admission that changed or rejected something: to the caller in a header, if allowed, and to the
 * audit log. The audit log gets no values, which may be secret.
 */
export class AdmissionExplanation {
  readonly #request: { readonly exchange: Exchange };
  readonly #isShown: boolean;
  readonly #values: string[] = [];
  #length = 0;
  #steps = 0;

  /** `isShown`: whether the caller may see it. */
  constructor(request: { readonly exchange: Exchange }, { isShown }: { readonly isShown: boolean }) {
    this.#request = request;
    this.#isShown = isShown;
  }

  readonly add = (step: AdmissionStep): void => {
    if (this.#steps === maxSteps) return;
    const { exchange } = this.#request;
    exchange.annotate?.(`explanation.admission.keelson/step_${this.#steps}`, encodeJson(withoutValues(step)));
    this.#steps++;
    if (this.#isShown) this.#show(step);
  };

  #show(step: AdmissionStep): void {
    const { plugin, source, phase } = step;
    for (const shown of [step, withoutValues(step), { plugin, source, phase, isTruncated: true }]) {
      const value = encodeJson(shown).replace(notAscii, escaped);
      if (this.#length + value.length > maxHeaderLength) continue;
      this.#length += value.length;
      this.#values.push(value);
      this.#request.exchange.setHeader(header, this.#values);
      return;
    }
  }
}

function withoutValues({ patch, ...step }: AdmissionStep): AdmissionStep {
  return patch === undefined ? step : { ...step, patch: patch.map(withoutValue) };
}

function withoutValue(operation: object): object {
  const { value: _value, ...named } = operation as { readonly value?: unknown };
  return named;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
