import { DecodeError } from '../../meta/decode-error.ts';
import { majorTypes, primitives, tags, typeName } from './major-types.ts';
import type { Refusals } from './refusals.ts';
import { StringReader } from './string-reader.ts';
import { timeContentProblem, timeText } from './tagged-time.ts';

const int64Bound = 2n ** 63n;
const textEncodings: Readonly<Record<number, BufferEncoding>> = {
  [tags.base64url]: 'base64url',
  [tags.base64]: 'base64',
  [tags.base16]: 'hex',
};

/** Converts scalar items to JSON values after their heads have been read. */
export class ScalarReader extends StringReader {
  readonly #refusals: Refusals;

  constructor(bytes: Buffer, refusals: Refusals) {
    super(bytes);
    this.#refusals = refusals;
  }

  /**
   * Text and byte strings must be UTF-8, because nothing else can be stored unchanged. When a tag requests it
   * (`encoding`, 0 without such a tag), bytes are converted to a text encoding instead.
   */
  text(encoding: number): string {
    const isText = this.major === majorTypes.text;
    if (!isText && encoding !== 0) return this.string().toString(textEncodings[encoding]);
    const text = this.utf8();
    if (this.isBroken) this.#refusals.note('cbor: invalid UTF-8 string');
    return text;
  }

  /** Returns a bigint when a number would not be exact. */
  integer(): number | bigint {
    const isNegative = this.major === majorTypes.negative;
    const value = isNegative ? -1 - this.argument : this.argument;
    if (Number.isSafeInteger(value)) return value;
    const exact = isNegative ? -1n - this.exactArgument : this.exactArgument;
    if (exact >= int64Bound || exact < -int64Bound) {
      const target = `${typeName(this.major)} into Go value of type int64`;
      this.#refusals.note(`cbor: cannot unmarshal ${target} (${exact} overflows Go's int64)`);
    }
    return exact;
  }

  get isFloat(): boolean {
    return this.major === majorTypes.primitive && this.info >= primitives.float16;
  }

  primitive(): boolean | number | null {
    if (this.isFloat) return this.argument;
    switch (this.info) {
      case primitives.false:
        return false;
      case primitives.true:
        return true;
      case primitives.null:
        return null;
      default:
        this.#refusals.note(
          `cbor: data item of cbor type primitives is not accepted by protocol: simple value ${this.argument} is not recognized`,
        );
        return null;
    }
  }

  /** Returns whether the next item can be the content of a time tag. */
  checkTimeContent(tag: number): boolean {
    const problem = timeContentProblem(tag, this.peek());
    if (problem !== undefined) this.#refusals.note(problem);
    return problem === undefined;
  }

  /** Returns the text of a time whose content has been checked. */
  time(tag: number): string {
    const content = tag === tags.dateTime ? this.text(0) : this.isFloat ? this.argument : this.integer();
    try {
      return timeText(content);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      this.#refusals.note(error.message);
      return '';
    }
  }
}
