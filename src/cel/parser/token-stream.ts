import { type Token, type TokenKind, tokenKinds, tokensOf } from './lexer.ts';
import type { SourceProblems } from './source-problems.ts';

/** Kinds of tokens that start an expression. */
export const expressionStarts: readonly TokenKind[] = [
  '[',
  '{',
  '(',
  '.',
  '-',
  '!',
  'true',
  'false',
  'null',
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
];
const operators: readonly TokenKind[] = [
  '==',
  '!=',
  'in',
  '<',
  '<=',
  '>=',
  '>',
  '&&',
  '||',
  '-',
  '?',
  '+',
  '*',
  '/',
  '%',
];
const literalKinds: ReadonlySet<TokenKind> = new Set([
  '<EOF>',
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
  'ESC_IDENTIFIER',
]);

/**
 * The tokens of an expression. Reports errors like a generated parser: it drops one token when the next one fits,
 * assumes a missing one when the rest fits, and otherwise skips to a token that may follow.
 */
export class TokenStream {
  readonly problems: SourceProblems;
  readonly #tokens: readonly Token[];
  #index = 0;
  /** No further problem is reported before a token fits again. */
  #recovering = false;
  /** The tokens that may follow the open constructs. */
  readonly #followers: TokenKind[] = ['<EOF>'];

  constructor(problems: SourceProblems) {
    this.problems = problems;
    this.#tokens = tokensOf(problems);
  }

  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#index + ahead, this.#tokens.length - 1)]!;
  }

  is(kind: TokenKind, ahead = 0): boolean {
    return this.peek(ahead).kind === kind;
  }

  next(): Token {
    const token = this.peek();
    this.#index = Math.min(this.#index + 1, this.#tokens.length - 1);
    this.#recovering = false;
    return token;
  }

  /** Takes a token of this kind if it is the next one. */
  take(kind: TokenKind): Token | undefined {
    return this.is(kind) ? this.next() : undefined;
  }

  /** Parses a part that one of these tokens may follow. */
  within<T>(followers: readonly TokenKind[], parse: () => T): T {
    this.#followers.push(...followers);
    try {
      return parse();
    } finally {
      this.#followers.length -= followers.length;
    }
  }

  /** Takes the token that must be here. `following` are the kinds that may follow it. */
  expect(kind: TokenKind, following: readonly TokenKind[] = []): Token {
    const token = this.peek();
    if (token.kind === kind) return this.next();
    if (this.is(kind, 1)) {
      this.#report(`extraneous input ${quoted(token)} expecting ${expectation([kind])}`);
      this.next();
      return this.next();
    }
    if (following.includes(token.kind)) this.#report(`missing ${expectation([kind])} at ${quoted(token)}`);
    else this.mismatch([kind]);
    return { kind, text: '', offset: token.offset };
  }

  /** Whether the next token is one of these. Drops one token if that helps. */
  sync(expected: readonly TokenKind[]): boolean {
    const token = this.peek();
    if (expected.includes(token.kind)) return true;
    if (!this.#recovering && expected.includes(this.peek(1).kind)) {
      this.#report(`extraneous input ${quoted(token)} expecting ${expectation(expected)}`);
      this.next();
      return true;
    }
    this.mismatch(expected);
    return false;
  }

  /** Reports the next token and skips to one that may follow. */
  mismatch(expected: readonly TokenKind[]): void {
    this.fail(`mismatched input ${quoted(this.peek())} expecting ${expectation(expected)}`);
  }

  fail(text: string): void {
    this.#report(text);
    while (!this.is('<EOF>') && !operators.includes(this.peek().kind) && !this.#followers.includes(this.peek().kind)) {
      this.#index++;
    }
  }

  #report(text: string): void {
    if (!this.#recovering) this.problems.add(this.peek().offset, `Syntax error: ${text}`);
    this.#recovering = true;
  }
}

const quoted = ({ text }: Token): string => `'${text}'`;

function expectation(kinds: readonly TokenKind[]): string {
  const texts = tokenKinds
    .filter((kind) => kinds.includes(kind))
    .map((kind) => (literalKinds.has(kind) ? kind : `'${kind}'`));
  return texts.length === 1 ? texts[0]! : `{${texts.join(', ')}}`;
}
