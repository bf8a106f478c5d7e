import type { DecodeError } from '../../meta/decode-error.ts';
import { ScalarTexts } from './scalar-texts.ts';
import { scanBlockScalar } from './scan-block-scalar.ts';
import { scanPlainScalar } from './scan-plain-scalar.ts';
import { scanAnchor, scanDirective, scanTag } from './scan-properties.ts';
import { scanQuotedScalar } from './scan-quoted-scalar.ts';
import { maxKeyLength, SimpleKeys } from './simple-keys.ts';
import { TokenQueue } from './token-queue.ts';
import { blank, end, isBlankBreakOrEnd, isBreak, tab, YamlCursor } from './yaml-cursor.ts';
import { tokens } from './yaml-token.ts';

const maxDepth = 10_000;
const hash = 0x23;
const colon = 0x3a;
const unresolved = tokens.possibleKey | tokens.requiredKey | tokens.nothing;

/** Splits a text into tokens. Derives the tokens that begin and end blocks from the indentation. */
export class YamlScanner {
  readonly texts: ScalarTexts;
  readonly #cursor: YamlCursor;
  readonly #queue = new TokenQueue();
  readonly #keys: SimpleKeys;
  #indent = -1;
  readonly #indents: number[] = [];
  #isKeyAllowed = true;

  /** The text must end with a NUL character and contain no other one. */
  constructor(text: string) {
    this.texts = new ScalarTexts(text);
    this.#cursor = new YamlCursor(text);
    this.#keys = new SimpleKeys(this.#cursor, this.#queue);
  }

  /** Returns the kind of the next token. Afterwards, `line`, `from` and `to` are those of this token. */
  peek(): number {
    for (;;) {
      const { kind } = this.#queue;
      if (kind === 0) {
        this.#fetch();
      } else if ((kind & unresolved) !== 0) {
        if (this.#keys.isOpen(this.#queue.number)) this.#fetch();
        else this.#queue.take();
      } else {
        return kind === tokens.keyedMapping ? tokens.blockMapping : kind;
      }
    }
  }

  /** The line where the token begins, from zero. */
  get line(): number {
    return this.#queue.line;
  }

  /** The start of the text of a scalar, anchor or alias, or the first of the two texts of a tag or directive. */
  get from(): number {
    return this.#queue.from;
  }

  /** The end of the text, or the second text. */
  get to(): number {
    return this.#queue.to;
  }

  /** Removes the token that `peek` returned. */
  skip(): void {
    if (this.#queue.kind === tokens.keyedMapping) this.#queue.setKind(this.#queue.number, tokens.key);
    else this.#queue.take();
  }

  get #isInFlow(): boolean {
    return this.#keys.depth > 0;
  }

  #fetch(): void {
    const cursor = this.#cursor;
    this.#skipToToken();
    this.#closeBlocks(cursor.column);
    const code = cursor.code();
    if (isWordCharacter(code)) {
      this.#plain();
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
      let code = cursor.code();
      // Tabs are not allowed as indentation.
      while (code === blank || (code === tab && (this.#isInFlow || !this.#isKeyAllowed))) {
        cursor.at++;
        code = cursor.code();
      }
      if (code === hash) {
        cursor.skipToBreak();
        code = cursor.code();
      }
      if (!isBreak(code)) return;
      cursor.breakLine();
      if (!this.#isInFlow) this.#isKeyAllowed = true;
    }
  }

  #endStream(): void {
    this.#cursor.endLine();
    this.#endDocument();
    this.#add(tokens.streamEnd);
  }

  #directive(): void {
    this.#endDocument();
    this.#add(tokens.directive);
    const directive = scanDirective(this.#cursor);
    if ('version' in directive) this.#queue.setRange(this.texts.keep(''), this.texts.keep(directive.version));
    else this.#queue.setRange(this.texts.keep(directive.handle), this.texts.keep(directive.prefix));
  }

  #documentMarker(character: string): void {
    this.#endDocument();
    this.#add(character === '-' ? tokens.documentStart : tokens.documentEnd);
    this.#cursor.at += 3;
  }

  #endDocument(): void {
    this.#closeBlocks(-1);
    this.#keys.forget();
    this.#isKeyAllowed = false;
  }

  /** Adds the token of an indicator character. Returns false if the character is not an indicator here. */
  #indicator(character: string): boolean {
    switch (character) {
      case '-':
        if (!this.#isSeparate()) return false;
        this.#blockEntry();
        return true;
      case ':':
        if (!this.#isInFlow && !this.#isSeparate()) return false;
        this.#value();
        return true;
      case '?':
        if (!this.#isInFlow && !this.#isSeparate()) return false;
        this.#key();
        return true;
      case ',':
        this.#keys.forget();
        this.#isKeyAllowed = true;
        this.#addCharacter(tokens.flowEntry);
        return true;
      case '[':
      case '{':
        this.#openFlow(character === '[' ? tokens.flowSequence : tokens.flowMapping);
        return true;
      case ']':
      case '}':
        this.#closeFlow(character === ']' ? tokens.flowSequenceEnd : tokens.flowMappingEnd);
        return true;
      default:
        return false;
    }
  }

  #isSeparate(): boolean {
    return isBlankBreakOrEnd(this.#cursor.code(1));
  }

  #openFlow(kind: number): void {
    this.#saveKey();
    this.#keys.openBracket();
    if (this.#keys.depth > maxDepth) throw this.#tooDeep();
    this.#isKeyAllowed = true;
    this.#addCharacter(kind);
  }

  #closeFlow(kind: number): void {
    this.#keys.forget();
    this.#keys.closeBracket();
    this.#isKeyAllowed = false;
    this.#addCharacter(kind);
  }

  #blockEntry(): void {
    if (!this.#isInFlow) {
      if (!this.#isKeyAllowed) throw this.#notAllowed('block sequence entries');
      if (this.#openBlock(this.#cursor.column)) this.#add(tokens.blockSequence);
    }
    this.#keys.forget();
    this.#isKeyAllowed = true;
    this.#addCharacter(tokens.blockEntry);
  }

  #key(): void {
    if (!this.#isInFlow) {
      if (!this.#isKeyAllowed) throw this.#notAllowed('mapping keys');
      if (this.#openBlock(this.#cursor.column)) this.#add(tokens.blockMapping);
    }
    this.#keys.forget();
    this.#isKeyAllowed = !this.#isInFlow;
    this.#addCharacter(tokens.key);
  }

  #value(): void {
    const place = this.#keys.take();
    if (this.#keys.isOpen(place)) {
      const isFirst = this.#openBlock(this.#queue.toOf(place));
      this.#queue.setKind(place, isFirst ? tokens.keyedMapping : tokens.key);
      this.#isKeyAllowed = false;
    } else {
      if (!this.#isInFlow) {
        if (!this.#isKeyAllowed) throw this.#notAllowed('mapping values');
        if (this.#openBlock(this.#cursor.column)) this.#add(tokens.blockMapping);
      }
      this.#isKeyAllowed = !this.#isInFlow;
    }
    this.#addCharacter(tokens.value);
  }

  #scalar(character: string): void {
    switch (character) {
      case "'":
      case '"':
        this.#saveKey();
        this.#isKeyAllowed = false;
        this.#addScalar(tokens.scalar, this.#cursor.line, scanQuotedScalar(this.#cursor));
        break;
      case '&':
      case '*':
        this.#saveKey();
        this.#isKeyAllowed = false;
        this.#add(character === '&' ? tokens.anchor : tokens.alias);
        scanAnchor(this.#cursor);
        this.#queue.setRange(this.#cursor.from, this.#cursor.to);
        break;
      case '!':
        this.#tag();
        break;
      case '|':
      case '>':
        this.#block();
        break;
      default:
        if (!this.#canBegin(character)) throw this.#noToken();
        this.#plain();
    }
  }

  #canBegin(character: string): boolean {
    if (character === '-') return !this.#isSeparate();
    if (character === '?' || character === ':') return !this.#isInFlow && !this.#isSeparate();
    return character !== '\t' && !'%@`'.includes(character);
  }

  #tag(): void {
    this.#saveKey();
    this.#isKeyAllowed = false;
    this.#add(tokens.tag);
    const { handle, suffix } = scanTag(this.#cursor);
    this.#queue.setRange(this.texts.keep(handle), this.texts.keep(suffix));
  }

  #block(): void {
    if (this.#isInFlow) throw this.#noToken();
    this.#keys.forget();
    this.#isKeyAllowed = true;
    const { line } = this.#cursor;
    this.#addScalar(tokens.scalar, line, scanBlockScalar(this.#cursor, this.#indent));
  }

  #plain(): void {
    const cursor = this.#cursor;
    const { at, line } = cursor;
    const mayBeKey = this.#isKeyAllowed;
    this.#saveKey();
    const text = scanPlainScalar(cursor, this.#indent + 1, this.#isInFlow ? 'flow' : 'block');
    // A key may begin at the start of a line.
    this.#isKeyAllowed = cursor.lineStart > cursor.to;
    this.#addScalar(tokens.plain, line, text);
    // Fast path for a key: the colon usually follows immediately.
    if (mayBeKey && cursor.line === line && cursor.code() === colon && cursor.at <= at + maxKeyLength) this.#value();
  }

  #saveKey(): void {
    if (!this.#isKeyAllowed) return;
    const isRequired = !this.#isInFlow && this.#indent === this.#cursor.column;
    this.#keys.save(isRequired ? tokens.requiredKey : tokens.possibleKey);
  }

  /** Opens a block if the column is deeper than the enclosing block. Returns whether it did. */
  #openBlock(column: number): boolean {
    if (this.#isInFlow || this.#indent >= column) return false;
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (this.#indents.length > maxDepth) throw this.#tooDeep();
    return true;
  }

  #closeBlocks(column: number): void {
    if (this.#isInFlow) return;
    while (this.#indent > column) {
      this.#add(tokens.blockEnd);
      this.#indent = this.#indents.pop()!;
    }
  }

  #add(kind: number): void {
    this.#queue.add(kind, this.#cursor.line);
  }

  #addCharacter(kind: number): void {
    this.#add(kind);
    this.#cursor.at++;
  }

  /** If `text` is undefined, the range in the cursor is the text of the scalar. */
  #addScalar(kind: number, line: number, text: string | undefined): void {
    this.#queue.add(kind, line);
    if (text === undefined) this.#queue.setRange(this.#cursor.from, this.#cursor.to);
    else this.#queue.setRange(this.texts.keep(text), 0);
  }

  #noToken(): DecodeError {
    return this.#cursor.problem('found character that cannot start any token');
  }

  #notAllowed(what: string): DecodeError {
    return this.#cursor.problem(`${what} are not allowed in this context`);
  }

  #tooDeep(): DecodeError {
    return this.#cursor.problem(`exceeded max depth of ${maxDepth}`);
  }
}

/** Returns whether a token that begins with this character is always a plain scalar. */
function isWordCharacter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);
}
