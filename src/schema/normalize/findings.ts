import { goQuote } from '../../meta/go-quote.ts';
import type { JsonSource } from '../../meta/json-source.ts';

const mostKept = 100;

/** What strict decoding would refuse, in the order of the document, without repetitions and not without end. */
export class Findings {
  /** What the decoder of the same document noticed, if it noticed anything. */
  readonly source: JsonSource | undefined;
  /** False when the object is known to keep the rules that `validateSchemaRules` checks. */
  suspicious = true;
  readonly #texts = new Set<string>();

  constructor(source?: JsonSource) {
    this.source = source;
  }

  /** Such as `unknown field "spec.foo"`. */
  get texts(): readonly string[] {
    return [...this.#texts];
  }

  unknown(path: string): void {
    this.#add(`unknown field ${goQuote(path)}`);
  }

  duplicate(path: string): void {
    this.#add(`duplicate field ${goQuote(path)}`);
  }

  #add(text: string): void {
    if (this.#texts.size < mostKept) this.#texts.add(text);
  }
}
