const repetition = /^\{(\d+)(?:(,)(\d*))?\}/;
const groupStart = /^\(\?(?:P?<(?<name>[A-Za-z_][A-Za-z0-9_]*)>|[imsU]*(?:-[imsU]+)?[:)])/;
const classEscape =
  /^\\(?:[AbBzdDsSwWCQEafnrtv]|[pP](?:[A-Z]|\{\^?[A-Za-z_]+\})|x(?:[0-9A-Fa-f]{2}|\{[0-9A-Fa-f]+\})|0[0-7]{0,2}|[1-7][0-7]{1,2}|[^A-Za-z0-9])/s;
const maximumRepeat = 1000;

/** What Go's `regexp` finds wrong with a pattern; undefined when it accepts it. Its syntax is not that of JavaScript. */
export function goRegexpError(pattern: string): string | undefined {
  const problem = new PatternScanner(pattern).problem();
  return problem === undefined ? undefined : `error parsing regexp: ${problem}`;
}

/** Goes over a pattern once, without building anything. */
class PatternScanner {
  readonly #pattern: string;
  #at = 0;
  #depth = 0;
  /** Where an operand ends that a repetition may follow, and where the last repetition began. */
  #operand = false;
  #repeated: number | undefined;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  problem(): string | undefined {
    while (this.#at < this.#pattern.length) {
      const problem = this.#step();
      if (problem !== undefined) return problem;
    }
    return this.#depth > 0 ? `missing closing ): \`${this.#pattern}\`` : undefined;
  }

  #step(): string | undefined {
    switch (this.#pattern[this.#at]) {
      case '\\':
        return this.#escape();
      case '[':
        return this.#class();
      case '(':
        return this.#group();
      case ')':
        if (this.#depth === 0) return `unexpected ): \`${this.#pattern}\``;
        this.#depth--;
        return this.#accept(1, true);
      case '|':
        return this.#accept(1, false);
      case '*':
      case '+':
      case '?':
        return this.#repeat(1);
      case '{':
        return this.#braces();
      default:
        return this.#accept(this.#pattern.codePointAt(this.#at)! > 0xffff ? 2 : 1, true);
    }
  }

  #accept(length: number, operand: boolean): undefined {
    this.#at += length;
    this.#operand = operand;
    this.#repeated = undefined;
  }

  #escape(): string | undefined {
    const rest = this.#pattern.slice(this.#at);
    if (rest === '\\') return 'trailing backslash at end of expression: ``';
    const length = escapeLength(rest);
    if (length === undefined) return `invalid escape sequence: \`${rest.slice(0, 2)}\``;
    if (rest.startsWith('\\Q')) {
      const end = rest.indexOf('\\E');
      return this.#accept(end < 0 ? rest.length : end + 2, true);
    }
    return this.#accept(length, true);
  }

  #class(): string | undefined {
    const rest = this.#pattern.slice(this.#at);
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
    return this.#accept(at + 1, true);
  }

  #group(): string | undefined {
    const rest = this.#pattern.slice(this.#at);
    if (!rest.startsWith('(?')) {
      this.#depth++;
      return this.#accept(1, false);
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
    if (start.endsWith(')')) return this.#accept(start.length, false);
    this.#depth++;
    return this.#accept(start.length, false);
  }

  #braces(): string | undefined {
    const match = repetition.exec(this.#pattern.slice(this.#at));
    if (match === null) return this.#accept(1, true);
    const [text, low, comma, high] = match;
    const least = Number(low);
    const most = comma === undefined ? least : high === '' ? -1 : Number(high);
    if (least > maximumRepeat || most > maximumRepeat || (most >= 0 && least > most)) {
      return `invalid repeat count: \`${text}\``;
    }
    return this.#repeat(text.length);
  }

  #repeat(length: number): string | undefined {
    const text = this.#pattern.slice(this.#at, this.#at + length);
    if (this.#repeated !== undefined) {
      return `invalid nested repetition operator: \`${this.#pattern.slice(this.#repeated, this.#at + length)}\``;
    }
    if (!this.#operand) return `missing argument to repetition operator: \`${text}\``;
    const start = this.#at;
    this.#at += length;
    if (this.#pattern[this.#at] === '?') this.#at++;
    this.#repeated = start;
    return undefined;
  }
}

function escapeLength(text: string): number | undefined {
  return classEscape.exec(text)?.[0].length;
}
