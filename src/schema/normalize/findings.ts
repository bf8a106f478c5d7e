import { goQuote } from '../../meta/go-quote.ts';
import type { JsonSource } from '../../meta/json-source.ts';

const maxKept = 100;
const nothing: readonly string[] = [];

/** Formats an unknown field for encodings whose messages have no paths. Undefined: the field is not reported. */
type UnknownFieldText = (object: object, key: string) => string | undefined;

/** Errors of strict decoding, in document order, without duplicates and limited in number. */
export class Findings {
  /** Details from the decoder of the same document, if there are any. */
  readonly source: JsonSource | undefined;
  /** False when the object is known to satisfy the rules that `validateSchemaRules` checks. */
  needsSchemaCheck = true;
  /** The number of findings that did not fit into `texts`. */
  omitted = 0;
  /** Allocated for the first finding. */
  #texts: Set<string> | undefined;
  readonly #unknownField: UnknownFieldText | undefined;

  constructor(source?: JsonSource, unknownField?: UnknownFieldText) {
    this.source = source;
    this.#unknownField = unknownField;
  }

  /** For example `unknown field "spec.foo"`. */
  get texts(): readonly string[] {
    return this.#texts === undefined ? nothing : [...this.#texts];
  }

  unknown(path: string, object: object, key: string): void {
    if (this.#unknownField === undefined) {
      this.#add(`unknown field ${goQuote(path)}`);
      return;
    }
    const text = this.#unknownField(object, key);
    if (text !== undefined) this.#add(text);
  }

  duplicate(path: string): void {
    this.#add(`duplicate field ${goQuote(path)}`);
  }

  #add(text: string): void {
    this.#texts ??= new Set();
    if (this.#texts.size < maxKept) this.#texts.add(text);
    else if (!this.#texts.has(text)) this.omitted++;
  }
}
