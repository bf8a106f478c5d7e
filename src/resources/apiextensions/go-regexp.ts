const repetition = /^\{(\d+)(?:(,)(\d*))?\}/;
const groupStart = /^\(\?(?:P?<(?<name>[A-Za-z_][A-Za-z0-9_]*)>|[imsU]*(?:-[imsU]+)?[:)])/;
const classEscape =
  /^\\(?:[AbBzdDsSwWCQEafnrtv]|[pP](?:[A-Z]|\{\^?[A-Za-z_]+\})|x(?:[0-9A-Fa-f]{2}|\{[0-9A-Fa-f]+\})|0[0-7]{0,2}|[1-7][0-7]{1,2}|[^A-Za-z0-9])/s;
const maxRepeat = 1000;

/** Returns the error of Go's `regexp` for a pattern, whose syntax differs from JavaScript's. Undefined when valid. */
export function goRegexpError(pattern: string): string | undefined {
  const problem = new PatternScanner(pattern).problem();
  return problem === undefined ? undefined : `error parsing regexp: ${problem}`;
}

/** Checks the syntax of a pattern in one pass. */
class PatternScanner {
  readonly #pattern: string;
  #offset = 0;
  #depth = 0;
  /** Whether the last token is an operand, which a repetition may follow. */
  #afterOperand = false;
  /** The offset of the repetition before the current offset. */
  #repetitionStart: number | undefined;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  problem(): string | undefined {
    while (this.#offset < this.#pattern.length) {
      const problem = this.#step();
      if (problem !== undefined) return problem;
    }
    return this.#depth > 0 ? `missing closing ): \`${this.#pattern}\`` : undefined;
  }

  #step(): string | undefined {
    switch (this.#pattern[this.#offset]) {
      case '\\':
        return this.#escape();
      case '[':
        return this.#class();
      case '(':
        return this.#group();
      case ')':
        if (this.#depth === 0) return `unexpected ): \`${this.#pattern}\``;
        this.#depth--;
        return this.#operand(1);
      case '|':
        return this.#operator(1);
      case '*':
      case '+':
      case '?':
        return this.#repeat(1);
      case '{':
        return this.#braces();
      default:
        return this.#operand(this.#pattern.codePointAt(this.#offset)! > 0xffff ? 2 : 1);
    }
  }

  #operand(length: number): undefined {
    this.#advance(length);
    this.#afterOperand = true;
  }

  #operator(length: number): undefined {
    this.#advance(length);
    this.#afterOperand = false;
  }

  #advance(length: number): void {
    this.#offset += length;
    this.#repetitionStart = undefined;
  }

  #escape(): string | undefined {
    const rest = this.#pattern.slice(this.#offset);
    if (rest === '\\') return 'trailing backslash at end of expression: ``';
    const length = escapeLength(rest);
    if (length === undefined) return `invalid escape sequence: \`${rest.slice(0, 2)}\``;
    if (rest.startsWith('\\Q')) {
      const end = rest.indexOf('\\E');
      return this.#operand(end < 0 ? rest.length : end + 2);
    }
    return this.#operand(length);
  }

  #class(): string | undefined {
    const rest = this.#pattern.slice(this.#offset);
    let at = rest[1] === '^' ? 2 : 1;
    const start = at;
    let low: string | undefined;
    while (at < rest.length && (rest[at] !== ']' || at === start)) {
      const named = /^\[:\^?[a-z]+:\]/.exec(rest.slice(at))?.[0];
      const length = named?.length ?? (rest[at] === '\\' ? escapeLength(rest.slice(at)) : 1);
      if (length === undefined) return `invalid escape sequence: \`${rest.slice(at, at + 2)}\``;
      const high = length === 1 ? rest[at] : undefined;
      if (low !== undefined && high !== undefined && rest[at - 1] === '-' && low > high) {
        return `invalid character class range: \`${low}-${high}\``;
      }
      const beginsRange = rest[at + length] === '-' && rest[at + length + 1] !== ']' && rest[at - 1] !== '-';
      low = beginsRange ? high : undefined;
      at += length + (beginsRange ? 1 : 0);
    }
    if (at >= rest.length) return `missing closing ]: \`${rest}\``;
    return this.#operand(at + 1);
  }

  #group(): string | undefined {
    const rest = this.#pattern.slice(this.#offset);
    if (!rest.startsWith('(?')) {
      this.#depth++;
      return this.#operator(1);
    }
    const start = groupStart.exec(rest)?.[0];
    if (start === undefined) {
      if (/^\(\?P?</.test(rest)) {
        const end = rest.indexOf('>');
        return `invalid named capture: \`${end < 0 ? rest : rest.slice(0, end + 1)}\``;
      }
      const flags = /^\(\?[imsU-]*/.exec(rest)![0].length;
      if (flags >= rest.length) return `missing closing ): \`${this.#pattern}\``;
      return `invalid or unsupported Perl syntax: \`${rest.slice(0, flags + 1)}\``;
    }
    // Flags alone, as in `(?i)`, open no group.
    if (start.endsWith(')')) return this.#operator(start.length);
    this.#depth++;
    return this.#operator(start.length);
  }

  #braces(): string | undefined {
    const match = repetition.exec(this.#pattern.slice(this.#offset));
    if (match === null) return this.#operand(1);
    const [text, low, comma, high] = match;
    const least = Number(low);
    const max = comma === undefined ? least : high === '' ? -1 : Number(high);
    if (least > maxRepeat || max > maxRepeat || (max >= 0 && least > max)) {
      return `invalid repeat count: \`${text}\``;
    }
    return this.#repeat(text.length);
  }

  #repeat(length: number): string | undefined {
    const text = this.#pattern.slice(this.#offset, this.#offset + length);
    if (this.#repetitionStart !== undefined) {
      return `invalid nested repetition operator: \`${this.#pattern.slice(this.#repetitionStart, this.#offset + length)}\``;
    }
    if (!this.#afterOperand) return `missing argument to repetition operator: \`${text}\``;
    const start = this.#offset;
    this.#offset += length;
    if (this.#pattern[this.#offset] === '?') this.#offset++;
    this.#repetitionStart = start;
    return undefined;
  }
}

function escapeLength(text: string): number | undefined {
  return classEscape.exec(text)?.[0].length;
}
