import type { DecodeError } from '../../meta/decode-error.ts';
import type { TokenQueue } from './token-queue.ts';
import type { YamlCursor } from './yaml-cursor.ts';
import { tokens } from './yaml-token.ts';

/** How far a key without `?` may be from its colon. */
export const maxKeyLength = 1024;
const none = -1;

/**
 * The places where a key may have begun: one for the block and one for each open bracket. Each holds a place in the
 * queue, so that nothing has to be put between other tokens when the colon comes.
 */
export class PossibleKeys {
  readonly #cursor: YamlCursor;
  readonly #queue: TokenQueue;
  /** The number of the token that holds the place. */
  readonly #places = [none];

  constructor(cursor: YamlCursor, queue: TokenQueue) {
    this.#cursor = cursor;
    this.#queue = queue;
  }

  /** How many brackets are open. */
  get depth(): number {
    return this.#places.length - 1;
  }

  openBracket(): void {
    this.#places.push(none);
  }

  closeBracket(): void {
    if (this.depth > 0) this.#places.pop();
  }

  /** Whether a key may still turn out to begin here. Throws when one must have begun, and has not. */
  isOpen(place: number): boolean {
    const kind = this.#queue.kindOf(place);
    if ((kind & (tokens.possibleKey | tokens.requiredKey)) === 0) return false;
    const { line, at } = this.#cursor;
    if (this.#queue.lineOf(place) === line && this.#queue.fromOf(place) + maxKeyLength >= at) return true;
    if (kind === tokens.requiredKey) throw this.#noColon();
    this.#queue.setKind(place, tokens.nothing);
    return false;
  }

  /** With the cursor where the key would begin. */
  save(isRequired: boolean): void {
    const { line, at, column } = this.#cursor;
    this.forget();
    const place = this.#queue.add(isRequired ? tokens.requiredKey : tokens.possibleKey, line);
    this.#queue.setRange(at, column);
    this.#places[this.depth] = place;
  }

  /** Throws when there must be a key. */
  forget(): void {
    const place = this.take();
    if (place === none) return;
    const kind = this.#queue.kindOf(place);
    if (kind === tokens.requiredKey) throw this.#noColon();
    if (kind === tokens.possibleKey) this.#queue.setKind(place, tokens.nothing);
  }

  /** The place of a key of which nobody knows any more then; negative without one. */
  take(): number {
    const place = this.#places[this.depth]!;
    this.#places[this.depth] = none;
    return place;
  }

  #noColon(): DecodeError {
    return this.#cursor.problem("could not find expected ':'");
  }
}
