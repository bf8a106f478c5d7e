import type { DecodeError } from '../../meta/decode-error.ts';
import { scanBlockScalar } from './scan-block-scalar.ts';
import { scanPlainScalar } from './scan-plain-scalar.ts';
import { scanAnchor, scanDirective, scanTag } from './scan-properties.ts';
import { scanQuotedScalar } from './scan-quoted-scalar.ts';
import { blank, end, isBlankBreakOrEnd, isBreak, tab, YamlCursor } from './yaml-cursor.ts';
import type { Token, TokenType } from './yaml-token.ts';

const deepest = 10_000;
/** How far a key without `?` may be from its colon. */
const longestKey = 1024;
const queueSize = 1024;
const notPlain = '-?:,[]{}#&*!|>\'"%@`';

/** A place where a key may have begun: only the colon behind it will tell. */
interface PossibleKey {
  isPossible: boolean;
  /** Nothing but a key can stand there. */
  readonly isRequired: boolean;
  readonly token: number;
  readonly at: number;
  readonly line: number;
  readonly column: number;
}

const noKey: PossibleKey = { isPossible: false, isRequired: false, token: -1, at: 0, line: 0, column: 0 };

/** The tokens of a text. Blocks have tokens where they begin and end, which come from the indentation. */
export class YamlScanner {
  readonly #cursor: YamlCursor;
  #queue: Token[] = [];
  #head = 0;
  /** How many tokens have been taken. */
  #taken = 0;
  #indent = -1;
  readonly #indents: number[] = [];
  /** One for the block and one for each open bracket. */
  readonly #keys: PossibleKey[] = [noKey];
  readonly #keysByToken = new Map<number, PossibleKey>();
  #isKeyAllowed = true;

  constructor(text: string) {
    this.#cursor = new YamlCursor(text);
  }

  /** The next token. */
  peek(): Token {
    for (;;) {
      if (this.#head < this.#queue.length) {
        // As long as the next token may be a key, something may have to be put before it.
        const key = this.#keysByToken.get(this.#taken);
        if (key === undefined || !this.#isValid(key)) return this.#queue[this.#head]!;
      }
      this.#fetch();
    }
  }

  /** Takes the token that `peek` has returned. */
  skip(): void {
    this.#head++;
    this.#keysByToken.delete(this.#taken);
    this.#taken++;
    if (this.#head < queueSize && this.#head < this.#queue.length) return;
    this.#queue = this.#queue.slice(this.#head);
    this.#head = 0;
  }

  get #isInFlow(): boolean {
    return this.#keys.length > 1;
  }

  #fetch(): void {
    const cursor = this.#cursor;
    this.#skipToToken();
    this.#closeBlocks(cursor.column);
    const code = cursor.code();
    if (isWordCharacter(code)) {
      this.#plain(cursor.line);
      return;
    }
    const character = cursor.text.charAt(cursor.at);
    if (code === end) this.#endStream();
    else if (cursor.column === 0 && character === '%') this.#directive();
    else if (cursor.isAtDocumentMarker()) this.#documentMarker(character);
    else if (!this.#indicator(character)) this.#scalar(character);
  }

  #skipToToken(): void {
    const cursor = this.#cursor;
    for (;;) {
      // A tab is no indentation.
      while (cursor.code() === blank || (cursor.code() === tab && (this.#isInFlow || !this.#isKeyAllowed))) cursor.at++;
      if (cursor.text.charAt(cursor.at) === '#') cursor.skipToBreak();
      if (!isBreak(cursor.code())) return;
      cursor.breakLine();
      if (!this.#isInFlow) this.#isKeyAllowed = true;
    }
  }

  #endStream(): void {
    this.#cursor.endLine();
    this.#endDocument();
    this.#add('streamEnd');
  }

  #directive(): void {
    this.#endDocument();
    const line = this.#cursor.line;
    const directive = scanDirective(this.#cursor);
    const isVersion = 'version' in directive;
    const text = isVersion ? '' : directive.handle;
    const suffix = isVersion ? directive.version : directive.prefix;
    this.#queue.push({ type: 'directive', line, text, suffix, isPlain: false });
  }

  #documentMarker(character: string): void {
    this.#endDocument();
    this.#add(character === '-' ? 'documentStart' : 'documentEnd');
    this.#cursor.at += 3;
  }

  #endDocument(): void {
    this.#closeBlocks(-1);
    this.#forgetKey();
    this.#isKeyAllowed = false;
  }

  /** Whether the character is a token by itself. */
  #indicator(character: string): boolean {
    switch (character) {
      case '[':
      case '{':
        this.#openFlow(character === '[' ? 'flowSequence' : 'flowMapping');
        return true;
      case ']':
      case '}':
        this.#closeFlow(character === ']' ? 'flowSequenceEnd' : 'flowMappingEnd');
        return true;
      case ',':
        this.#forgetKey();
        this.#isKeyAllowed = true;
        this.#addCharacter('flowEntry');
        return true;
      case '-':
        if (!this.#isSeparate()) return false;
        this.#blockEntry();
        return true;
      case '?':
        if (!this.#isInFlow && !this.#isSeparate()) return false;
        this.#key();
        return true;
      case ':':
        if (!this.#isInFlow && !this.#isSeparate()) return false;
        this.#value();
        return true;
      default:
        return false;
    }
  }

  #isSeparate(): boolean {
    return isBlankBreakOrEnd(this.#cursor.code(1));
  }

  #openFlow(type: TokenType): void {
    this.#saveKey();
    this.#keys.push(noKey);
    if (this.#keys.length - 1 > deepest) throw this.#tooDeep();
    this.#isKeyAllowed = true;
    this.#addCharacter(type);
  }

  #closeFlow(type: TokenType): void {
    this.#forgetKey();
    if (this.#isInFlow) this.#keys.pop();
    this.#isKeyAllowed = false;
    this.#addCharacter(type);
  }

  #blockEntry(): void {
    if (!this.#isInFlow) {
      if (!this.#isKeyAllowed) throw this.#notAllowed('block sequence entries');
      this.#openBlock('blockSequence');
    }
    this.#forgetKey();
    this.#isKeyAllowed = true;
    this.#addCharacter('blockEntry');
  }

  #key(): void {
    if (!this.#isInFlow) {
      if (!this.#isKeyAllowed) throw this.#notAllowed('mapping keys');
      this.#openBlock('blockMapping');
    }
    this.#forgetKey();
    this.#isKeyAllowed = !this.#isInFlow;
    this.#addCharacter('key');
  }

  #value(): void {
    const key = this.#keys.at(-1)!;
    if (this.#isValid(key)) {
      this.#insert(key.token, this.#token('key', key.line));
      this.#openBlock('blockMapping', key);
      key.isPossible = false;
      this.#keysByToken.delete(key.token);
      this.#isKeyAllowed = false;
    } else {
      if (!this.#isInFlow) {
        if (!this.#isKeyAllowed) throw this.#notAllowed('mapping values');
        this.#openBlock('blockMapping');
      }
      this.#isKeyAllowed = !this.#isInFlow;
    }
    this.#addCharacter('value');
  }

  #scalar(character: string): void {
    const cursor = this.#cursor;
    const line = cursor.line;
    if ((character === '|' || character === '>') && !this.#isInFlow) {
      this.#forgetKey();
      this.#isKeyAllowed = true;
      this.#push('scalar', line, scanBlockScalar(cursor, this.#indent));
      return;
    }
    if (!this.#canBegin(character)) throw cursor.problem('found character that cannot start any token');
    if (!'&*!\'"'.includes(character)) {
      this.#plain(line);
      return;
    }
    this.#saveKey();
    this.#isKeyAllowed = false;
    if (character === '&') this.#push('anchor', line, scanAnchor(cursor));
    else if (character === '*') this.#push('alias', line, scanAnchor(cursor));
    else if (character === '"' || character === "'") this.#push('scalar', line, scanQuotedScalar(cursor));
    else this.#tag(line);
  }

  #canBegin(character: string): boolean {
    if ('&*!\'"'.includes(character)) return true;
    const next = this.#cursor.code(1);
    if (character === '-') return !isBlankBreakOrEnd(next);
    if (character === '?' || character === ':') return !this.#isInFlow && !isBlankBreakOrEnd(next);
    return this.#cursor.code() !== tab && !notPlain.includes(character);
  }

  #tag(line: number): void {
    const { handle, suffix } = scanTag(this.#cursor);
    this.#queue.push({ type: 'tag', line, text: handle, suffix, isPlain: false });
  }

  #plain(line: number): void {
    this.#saveKey();
    this.#isKeyAllowed = false;
    const { text, hasLeftLine } = scanPlainScalar(this.#cursor, this.#indent + 1, this.#isInFlow);
    this.#queue.push({ type: 'scalar', line, text, suffix: '', isPlain: true });
    if (hasLeftLine) this.#isKeyAllowed = true;
  }

  #saveKey(): void {
    if (!this.#isKeyAllowed) return;
    const { at, line, column } = this.#cursor;
    this.#forgetKey();
    const key: PossibleKey = {
      isPossible: true,
      isRequired: !this.#isInFlow && this.#indent === column,
      token: this.#taken + this.#queue.length - this.#head,
      at,
      line,
      column,
    };
    this.#keys[this.#keys.length - 1] = key;
    this.#keysByToken.set(key.token, key);
  }

  #forgetKey(): void {
    const key = this.#keys.at(-1)!;
    if (!key.isPossible) return;
    if (key.isRequired) throw this.#noColon();
    key.isPossible = false;
    this.#keysByToken.delete(key.token);
  }

  #isValid(key: PossibleKey): boolean {
    if (!key.isPossible) return false;
    if (key.line === this.#cursor.line && key.at + longestKey >= this.#cursor.at) return true;
    if (key.isRequired) throw this.#noColon();
    key.isPossible = false;
    return false;
  }

  /** Begins a block here, or where a key has begun, when that is deeper than the block around. */
  #openBlock(type: TokenType, key?: PossibleKey): void {
    const column = key?.column ?? this.#cursor.column;
    if (this.#isInFlow || this.#indent >= column) return;
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (this.#indents.length > deepest) throw this.#tooDeep();
    const token = this.#token(type, key?.line ?? this.#cursor.line);
    if (key === undefined) this.#queue.push(token);
    else this.#insert(key.token, token);
  }

  #closeBlocks(column: number): void {
    if (this.#isInFlow) return;
    while (this.#indent > column) {
      this.#add('blockEnd');
      this.#indent = this.#indents.pop()!;
    }
  }

  #token(type: TokenType, line: number): Token {
    return { type, line, text: '', suffix: '', isPlain: false };
  }

  #insert(number: number, token: Token): void {
    this.#queue.splice(this.#head + number - this.#taken, 0, token);
  }

  #add(type: TokenType): void {
    this.#queue.push(this.#token(type, this.#cursor.line));
  }

  #addCharacter(type: TokenType): void {
    this.#add(type);
    this.#cursor.at++;
  }

  #push(type: TokenType, line: number, text: string): void {
    this.#queue.push({ type, line, text, suffix: '', isPlain: false });
  }

  #noColon(): DecodeError {
    return this.#cursor.problem("could not find expected ':'");
  }

  #notAllowed(what: string): DecodeError {
    return this.#cursor.problem(`${what} are not allowed in this context`);
  }

  #tooDeep(): DecodeError {
    return this.#cursor.problem(`exceeded max depth of ${deepest}`);
  }
}

/** Those with which nothing but text can begin. */
function isWordCharacter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);
}
