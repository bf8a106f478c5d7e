import type { SourceProblems } from './source-problems.ts';

/** The kinds of tokens, in the order in which messages list them. */
export const tokenKinds = [
  '==',
  '!=',
  'in',
  '<',
  '<=',
  '>=',
  '>',
  '&&',
  '||',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '.',
  ',',
  '-',
  '!',
  '?',
  ':',
  '+',
  '*',
  '/',
  '%',
  'true',
  'false',
  'null',
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
  'ESC_IDENTIFIER',
  '<EOF>',
] as const;
export type TokenKind = (typeof tokenKinds)[number];

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly offset: number;
}

const words: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);
const space = /[ \t\r\n\f]+|\/\/[^\n]*/y;
const number =
  /0x[0-9a-fA-F]+[uU]?|(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)|[0-9]+[uU]?/y;
const escapeSequence =
  /\\(?:[abfnrtv"'`\\?]|x[0-9a-fA-F]{2}|X[0-9a-fA-F]{2}|[0-3][0-7]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/y;
/** The longest valid prefix of an escape sequence. */
const escapePrefix = /\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-3][0-7]?)?/y;
/** The characters that can start each kind of token, so that not every kind is tried at every offset. */
const stringStarts = '"\'bBrR';
const numberStarts = '.0123456789';
const stringStart = /([bB]?[rR]?)("""|'''|"|')/y;
const identifier = /[_a-zA-Z][_a-zA-Z0-9]*/y;
const escapedIdentifier = /`[a-zA-Z0-9_.\-/ ]+`/y;
const operator = /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y;

/** Far above practical needs. Kubernetes limits only the characters, but compiles concurrently with other requests. */
const maxTokens = 4_000;

/** Splits an expression into tokens. Characters that start none are reported and skipped. */
export function tokensOf(problems: SourceProblems): readonly Token[] {
  const { source } = problems;
  const tokens: Token[] = [];
  let offset = 0;
  while (offset < source.length) {
    const skipped = matchAt(space, source, offset);
    if (skipped !== undefined) {
      offset += skipped.length;
      continue;
    }
    const token = tokenAt(source, offset);
    if (token === undefined) {
      const wrong = wrongText(source, offset, String.fromCodePoint(source.codePointAt(offset)!));
      problems.add(offset, `Syntax error: token recognition error at: '${escapedSpace(wrong)}'`);
      offset += wrong.length;
      continue;
    }
    if (tokens.length === maxTokens) {
      problems.add(undefined, `expression has more than ${maxTokens} tokens`);
      problems.throwAny();
    }
    tokens.push(token);
    offset += token.text.length;
  }
  tokens.push({ kind: '<EOF>', text: '<EOF>', offset: source.length });
  return tokens;
}

/** Returns the text that the lexer read before it failed, including the character that cannot continue a token. */
function wrongText(source: string, offset: number, wrong: string): string {
  const quote = matchAt(stringStart, source, offset);
  if (quote !== undefined) {
    const { end } = contentEnd(source, offset + quote.length, { quote: quote.slice(-1), raw: /[rR]/.test(quote) });
    return source.slice(offset, end + 1);
  }
  if (wrong !== '|' && wrong !== '&' && wrong !== '=' && wrong !== '`') return wrong;
  const partial = wrong === '`' ? matchAt(/`[a-zA-Z0-9_.\-/ ]*/y, source, offset)! : wrong;
  return source.slice(offset, offset + partial.length + 1);
}

const escapedSpace = (text: string): string =>
  text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');

function matchAt(pattern: RegExp, source: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.exec(source)?.[0];
}

function tokenAt(source: string, offset: number): Token | undefined {
  const first = source[offset]!;
  if (stringStarts.includes(first)) {
    const string = stringAt(source, offset);
    if (string !== undefined) return string;
  }
  const name = matchAt(identifier, source, offset);
  if (name !== undefined) return { kind: words.has(name) ? (name as TokenKind) : 'IDENTIFIER', text: name, offset };
  const digits = numberStarts.includes(first) ? matchAt(number, source, offset) : undefined;
  if (digits !== undefined) return { kind: numberKind(digits), text: digits, offset };
  const quoted = matchAt(escapedIdentifier, source, offset);
  if (quoted !== undefined) return { kind: 'ESC_IDENTIFIER', text: quoted, offset };
  const symbol = matchAt(operator, source, offset);
  return symbol === undefined ? undefined : { kind: symbol as TokenKind, text: symbol, offset };
}

function numberKind(text: string): TokenKind {
  if (/[uU]$/.test(text)) return 'NUM_UINT';
  if (text.startsWith('0x')) return 'NUM_INT';
  return /[.eE]/.test(text) ? 'NUM_FLOAT' : 'NUM_INT';
}

function stringAt(source: string, offset: number): Token | undefined {
  const start = matchAt(stringStart, source, offset);
  if (start === undefined) return undefined;
  const long = start.endsWith('"""') || start.endsWith("'''");
  const quote = long ? start.slice(-3) : start.slice(-1);
  const { end, closed } = contentEnd(source, offset + start.length, { quote, raw: /[rR]/.test(start) });
  if (!closed) {
    // An empty string and the start of another one look like three quotes.
    if (!long) return undefined;
    const text = start.slice(0, -1);
    return { kind: /^[bB]/.test(text) ? 'BYTES' : 'STRING', text, offset };
  }
  const text = source.slice(offset, end + quote.length);
  return { kind: /^[bB]/.test(text) ? 'BYTES' : 'STRING', text, offset };
}

interface StringEnd {
  readonly end: number;
  readonly closed: boolean;
}

function contentEnd(
  source: string,
  start: number,
  { quote, raw }: { readonly quote: string; readonly raw: boolean },
): StringEnd {
  let offset = start;
  while (offset < source.length) {
    if (source.startsWith(quote, offset)) return { end: offset, closed: true };
    const character = source[offset]!;
    if (quote.length === 1 && (character === '\n' || character === '\r')) return { end: offset, closed: false };
    if (character === '\\' && !raw) {
      const escaped = matchAt(escapeSequence, source, offset);
      if (escaped === undefined) return { end: offset + matchAt(escapePrefix, source, offset)!.length, closed: false };
      offset += escaped.length;
    } else offset++;
  }
  return { end: offset, closed: false };
}
