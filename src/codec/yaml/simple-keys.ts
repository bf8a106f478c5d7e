import type { DecodeError } from '../../meta/decode-error.ts';
import type { TokenQueue } from './token-queue.ts';
import type { YamlCursor } from './yaml-cursor.ts';
import { tokens } from './yaml-token.ts';

/** The maximum distance from the start of a key without `?` to its colon. */
export const maxKeyLength = 1024;
const none = -1;

/**
 * The positions where a key without `?` may have begun: one for the block context and one for each open bracket. Each
 * reserves a token in the queue, so that no token has to be inserted between others when the colon is found.
 */
export class SimpleKeys {
  readonly #cursor: YamlCursor;
  readonly #queue: TokenQueue;
  /** The sequence numbers of the reserved tokens. */
  readonly #reserved = [none];

  constructor(cursor: YamlCursor, queue: TokenQueue) {
    this.#cursor = cursor;
    this.#queue = queue;
  }

  /** The number of open brackets. */
  get depth(): number {
    return this.#reserved.length - 1;
  }

  openBracket(): void {
    this.#reserved.push(none);
  }

  closeBracket(): void {
    if (this.depth > 0) this.#reserved.pop();
  }

  /** Returns whether a key may still begin at this token. Throws if a key is required there but has no colon. */
  isOpen(token: number): boolean {
    const kind = this.#queue.kindOf(token);
    if ((kind & (tokens.possibleKey | tokens.requiredKey)) === 0) return false;
    const { line, at } = this.#cursor;
    if (this.#queue.lineOf(token) === line && this.#queue.fromOf(token) + maxKeyLength >= at) return true;
    if (kind === tokens.requiredKey) throw this.#noColon();
    this.#queue.setKind(token, tokens.nothing);
    return false;
  }

  /** Reserves a token for a key that would begin at the cursor. */
  save(kind: typeof tokens.possibleKey | typeof tokens.requiredKey): void {
    const { line, at, column } = this.#cursor;
    this.forget();
    const token = this.#queue.add(kind, line);
    this.#queue.setRange(at, column);
    this.#reserved[this.depth] = token;
  }

  /** Discards the possible key of the current context. Throws if a key is required there. */
  forget(): void {
    const token = this.take();
    if (token === none) return;
    const kind = this.#queue.kindOf(token);
    if (kind === tokens.requiredKey) throw this.#noColon();
    if (kind === tokens.possibleKey) this.#queue.setKind(token, tokens.nothing);
  }

  /** Removes the possible key of the current context. Returns its token, or a negative number if there is none. */
  take(): number {
    const token = this.#reserved[this.depth]!;
    this.#reserved[this.depth] = none;
    return token;
  }

  #noColon(): DecodeError {
    return this.#cursor.problem("could not find expected ':'");
  }
}
