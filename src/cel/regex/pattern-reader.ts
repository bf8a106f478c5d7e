import { CelError } from '../cel-error.ts';

/** Walks over the characters of a pattern. */
export class PatternReader {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern);
  }

  get position(): number {
    return this.#at;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#characters.length;
  }

  peek(ahead = 0): string | undefined {
    return this.#characters[this.#at + ahead];
  }

  next(): string | undefined {
    return this.#characters[this.#at++];
  }

  /** Goes on when the text comes next. */
  take(text: string): boolean {
    for (let index = 0; index < text.length; index++) if (this.peek(index) !== text[index]) return false;
    this.#at += text.length;
    return true;
  }

  /** What comes before the end mark, which is skipped; undefined and no step when it never comes. */
  takeUntil(mark: string): string | undefined {
    const end = this.#characters.indexOf(mark, this.#at);
    if (end < 0) return undefined;
    const text = this.#characters.slice(this.#at, end).join('');
    this.#at = end + 1;
    return text;
  }

  /** As many as match, up to a limit. */
  takeWhile(test: RegExp, most: number): string {
    let text = '';
    while (text.length < most && this.peek() !== undefined && test.test(this.peek()!)) text += this.next();
    return text;
  }

  back(position: number): void {
    this.#at = position;
  }

  since(position: number): string {
    return this.#characters.slice(position, this.#at).join('');
  }

  failure(what: string, piece: string): CelError {
    return new CelError(`error parsing regexp: ${what}: \`${piece}\``);
  }
}
