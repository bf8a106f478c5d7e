import { goQuote } from '../../meta/go-quote.ts';
import type { JsonSource } from '../../meta/json-source.ts';

const maxKept = 100;
const nothing: readonly string[] = [];

/** The words for a field that an object should not have, in encodings in which paths are not told; undefined for silence. */
type UnknownFieldText = (object: object, key: string) => string | undefined;

/** What strict decoding would refuse, in the order of the document, without repetitions and not without end. */
export class Findings {
  /** What the decoder of the same document noticed, if it noticed anything. */
  readonly source: JsonSource | undefined;
  /** False when the object is known to keep the rules that `validateSchemaRules` checks. */
  needsSchemaCheck = true;
  /** How many more there are than `texts` has. */
  omitted = 0;
  /** Made when there is something to tell. */
  #texts: Set<string> | undefined;
  readonly #unknownField: UnknownFieldText | undefined;

  constructor(source?: JsonSource, unknownField?: UnknownFieldText) {
    this.source = source;
    this.#unknownField = unknownField;
  }

  /** Such as `unknown field "spec.foo"`. */
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
