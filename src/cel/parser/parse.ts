import { reservedWords } from '../field-name.ts';
import type { Expression, LiteralExpression, MapEntry, StructField } from './expression.ts';
import type { Token, TokenKind } from './lexer.ts';
import { invalidLiteral, literalValue } from './literal.ts';
import type { MacroOptions } from './macros.ts';
import { DepthExceeded, maxDepth, NodeBuilder } from './node-builder.ts';
import { SourceProblems } from './source-problems.ts';
import { expressionStarts, TokenStream } from './token-stream.ts';

const maxCodePoints = 100_000;
const relations: readonly TokenKind[] = ['<', '<=', '>=', '>', '==', '!=', 'in'];
const sums: readonly TokenKind[] = ['+', '-'];
const products: readonly TokenKind[] = ['*', '/', '%'];
/** The operators of later sets bind their operands more tightly. */
const binaryOperators: readonly ReadonlySet<TokenKind>[] = [new Set(relations), new Set(sums), new Set(products)];
const afterOperand: readonly TokenKind[] = [
  ...relations,
  ...sums,
  ...products,
  '&&',
  '||',
  '?',
  ':',
  '.',
  '[',
  ']',
  '}',
  ')',
  ',',
  '<EOF>',
];

/** Parses an expression and expands its macros. Throws a `CelError` with all problems. */
export function parseExpression(source: string, options: MacroOptions = {}): Expression {
  const problems = new SourceProblems(source);
  if (source.length > maxCodePoints) {
    const size = Array.from(source).length;
    if (size > maxCodePoints) {
      problems.add(undefined, `expression code point size exceeds limit: size: ${size}, limit ${maxCodePoints}`);
      problems.throwAny();
    }
  }
  const stream = new TokenStream(problems);
  try {
    const expression = new Parser(stream, options).parse();
    problems.throwAny();
    return expression;
  } catch (error) {
    if (!(error instanceof DepthExceeded)) throw error;
    problems.add(undefined, error.message);
    problems.throwAny();
    throw error;
  }
}

class Parser {
  readonly #stream: TokenStream;
  readonly #nodes: NodeBuilder;
  #nesting = 0;

  constructor(stream: TokenStream, options: MacroOptions) {
    this.#stream = stream;
    this.#nodes = new NodeBuilder(stream.problems, options);
  }

  parse(): Expression {
    const expression = this.#expression();
    this.#stream.expect('<EOF>');
    return expression;
  }

  /** Every recursion goes through here. */
  #expression(): Expression {
    if (++this.#nesting > maxDepth) throw new DepthExceeded(`expression recursion limit exceeded: ${maxDepth}`);
    const condition = this.#disjunction();
    const mark = this.#stream.take('?');
    if (mark === undefined) {
      this.#nesting--;
      return condition;
    }
    const whenTrue = this.#stream.within([':'], () => this.#disjunction());
    this.#stream.expect(':', expressionStarts);
    const whenFalse = this.#expression();
    this.#nesting--;
    return this.#nodes.operator('_?_:_', mark.offset, [condition, whenTrue, whenFalse]);
  }

  #disjunction(): Expression {
    return this.#logical('||');
  }

  /** Long chains become balanced trees. */
  #logical(kind: '||' | '&&'): Expression {
    const first = this.#term(kind);
    let mark = this.#stream.take(kind);
    if (mark === undefined) return first;
    const terms = [first];
    const positions: number[] = [];
    for (; mark !== undefined; mark = this.#stream.take(kind)) {
      positions.push(mark.offset);
      terms.push(this.#term(kind));
    }
    const balanced = (low: number, high: number): Expression => {
      if (low === high) return terms[low]!;
      const middle = (low + high) >> 1;
      const sides = [balanced(low, middle), balanced(middle + 1, high)];
      return this.#nodes.operator(`_${kind}_`, positions[middle]!, sides);
    };
    return balanced(0, terms.length - 1);
  }

  #term(kind: '||' | '&&'): Expression {
    return kind === '||' ? this.#logical('&&') : this.#binary(0);
  }

  /** `level` is an index of `binaryOperators`. */
  #binary(level: number): Expression {
    const kinds = binaryOperators[level];
    if (kinds === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    while (kinds.has(this.#stream.peek().kind)) {
      const { kind, offset } = this.#stream.next();
      left = this.#nodes.operator(kind === 'in' ? '@in' : `_${kind}_`, offset, [left, this.#binary(level + 1)]);
    }
    return left;
  }

  #unary(): Expression {
    const stream = this.#stream;
    if (!stream.sync(expressionStarts)) return this.#nodes.nothing(stream.peek().offset);
    const { kind, offset } = stream.peek();
    if (kind !== '!' && kind !== '-') return this.#member();
    let count = 0;
    while (stream.is(kind) && !this.#isNegativeNumber()) {
      stream.next();
      count++;
    }
    const starts = kind === '-' ? expressionStarts.filter((start) => start !== '!') : expressionStarts;
    if (kind === '-' && !starts.includes(stream.peek().kind)) {
      stream.fail("no viable alternative at input '-'");
      return this.#nodes.nothing(stream.peek().offset);
    }
    if (!stream.sync(starts.filter((start) => start !== '!' && (start !== '-' || this.#isNegativeNumber())))) {
      return this.#nodes.nothing(stream.peek().offset);
    }
    const operand = this.#member();
    return count % 2 === 0 ? operand : this.#nodes.operator(`${kind}_`, offset, [operand]);
  }

  #isNegativeNumber(): boolean {
    return this.#stream.is('-') && (this.#stream.is('NUM_INT', 1) || this.#stream.is('NUM_FLOAT', 1));
  }

  #member(): Expression {
    const stream = this.#stream;
    let operand = this.#primary();
    for (;;) {
      const { kind, offset } = stream.peek();
      if (kind === '[') {
        stream.next();
        const name = stream.take('?') === undefined ? '_[_]' : '_[?_]';
        const index = stream.within([']'], () => this.#expression());
        stream.expect(']', afterOperand);
        operand = this.#nodes.operator(name, offset, [operand, index]);
      } else if (kind === '.') {
        const next = this.#afterDot(operand);
        if (next === undefined) return operand;
        operand = next;
      } else return operand;
    }
  }

  #afterDot(operand: Expression): Expression | undefined {
    const stream = this.#stream;
    const { offset } = stream.next();
    if (stream.take('?') !== undefined) {
      if (!stream.sync(['IDENTIFIER', 'ESC_IDENTIFIER'])) return undefined;
      const field = stream.next();
      const name: Expression = { kind: 'literal', position: field.offset, value: this.#fieldName(field) };
      return this.#nodes.operator('_?._', offset, [operand, name]);
    }
    const field = stream.peek();
    const { kind, text } = field;
    if (kind !== 'IDENTIFIER' && kind !== 'ESC_IDENTIFIER') {
      if (kind === 'true' || kind === 'false' || kind === 'null') stream.mismatch(['IDENTIFIER']);
      else stream.fail(`no viable alternative at input '.${kind === '<EOF>' ? '' : text}'`);
      return undefined;
    }
    stream.next();
    const open = kind === 'IDENTIFIER' ? stream.take('(') : undefined;
    if (open === undefined) {
      return this.#nodes.node({
        kind: 'select',
        position: offset,
        operand,
        field: this.#fieldName(field),
        test: false,
      });
    }
    return this.#nodes.call(text, open.offset, { target: operand, args: this.#arguments() });
  }

  #primary(): Expression {
    const stream = this.#stream;
    const { kind, offset } = stream.peek();
    switch (kind) {
      case '(': {
        stream.next();
        const expression = stream.within([')'], () => this.#expression());
        stream.expect(')', afterOperand);
        return expression;
      }
      case '[':
        return this.#list();
      case '{':
        return this.#map();
      case '.':
      case 'IDENTIFIER':
        return this.#name();
      case 'true':
      case 'false':
      case 'null':
        stream.next();
        return { kind: 'literal', position: offset, value: kind === 'null' ? null : kind === 'true' };
      default:
        return this.#literal();
    }
  }

  #name(): Expression {
    const stream = this.#stream;
    const dot = stream.take('.');
    if (!stream.sync(['IDENTIFIER'])) return this.#nodes.nothing(stream.peek().offset);
    let ahead = 1;
    while (stream.is('.', ahead) && stream.is('IDENTIFIER', ahead + 1)) ahead += 2;
    if (stream.is('{', ahead)) return this.#struct(dot === undefined ? '' : '.');
    const { text, offset } = stream.next();
    const name = dot === undefined ? text : `.${text}`;
    const open = stream.take('(');
    if (open !== undefined) return this.#nodes.call(name, open.offset, { target: undefined, args: this.#arguments() });
    if (reservedWords.has(text)) {
      stream.problems.add(offset, `reserved identifier: ${text}`);
      return this.#nodes.nothing(offset);
    }
    return this.#nodes.node({ kind: 'ident', position: offset, name });
  }

  #arguments(): readonly Expression[] {
    const stream = this.#stream;
    const args: Expression[] = [];
    stream.within([')', ','], () => {
      if (!stream.is(')') && stream.sync([...expressionStarts, ')']) && !stream.is(')')) {
        do args.push(this.#expression());
        while (stream.take(',') !== undefined);
      }
    });
    stream.expect(')', afterOperand);
    return args;
  }

  #list(): Expression {
    const stream = this.#stream;
    const { offset } = stream.next();
    const elements: Expression[] = [];
    const optional = new Set<number>();
    this.#sequence(']', [...expressionStarts, '?'], () => {
      if (stream.take('?') !== undefined) optional.add(elements.length);
      elements.push(this.#expression());
    });
    return this.#nodes.node({ kind: 'list', position: offset, elements, optional });
  }

  #map(): Expression {
    const stream = this.#stream;
    const { offset } = stream.next();
    const entries: MapEntry[] = [];
    this.#sequence('}', [...expressionStarts, '?'], () => {
      const optional = stream.take('?') !== undefined;
      const key = stream.within([':'], () => this.#expression());
      const { offset: position } = stream.expect(':');
      entries.push({ position, key, optional, value: this.#expression() });
    });
    return this.#nodes.node({ kind: 'map', position: offset, entries });
  }

  #struct(prefix: string): Expression {
    const stream = this.#stream;
    const names = [stream.next().text];
    while (stream.take('.') !== undefined) names.push(stream.next().text);
    const { offset } = stream.next();
    const fields: StructField[] = [];
    this.#sequence('}', ['IDENTIFIER', 'ESC_IDENTIFIER', '?'], () => {
      const optional = stream.take('?') !== undefined;
      if (!stream.sync(['IDENTIFIER', 'ESC_IDENTIFIER'])) return;
      const name = this.#fieldName(stream.next());
      const { offset: position } = stream.expect(':');
      fields.push({ position, name, optional, value: this.#expression() });
    });
    return this.#nodes.node({ kind: 'struct', position: offset, name: prefix + names.join('.'), fields });
  }

  /** The entries of a list, map or object, with an optional comma at the end. */
  #sequence(close: ']' | '}', starts: readonly TokenKind[], parse: () => void): void {
    const stream = this.#stream;
    let comma = false;
    stream.within([close, ','], () => {
      if (!stream.sync([...starts, ',', close])) return;
      while (starts.includes(stream.peek().kind)) {
        parse();
        comma = stream.take(',') !== undefined;
        if (!comma) break;
      }
      if (!comma) comma = stream.take(',') !== undefined;
    });
    if (comma || stream.is(close)) stream.expect(close, afterOperand);
    else if (stream.sync([close, ','])) {
      stream.take(',');
      stream.expect(close, afterOperand);
    }
  }

  /** Kubernetes does not have quoted names. */
  #fieldName({ kind, text, offset }: Token): string {
    if (kind === 'ESC_IDENTIFIER') this.#stream.problems.add(offset, "unsupported syntax: '`'");
    return text;
  }

  #literal(): Expression {
    const stream = this.#stream;
    const { offset: position } = stream.peek();
    const sign = stream.take('-') === undefined ? '' : '-';
    const { kind, text } = stream.next();
    const value = literalValue(kind, sign + text);
    if (value === undefined) stream.problems.add(position, invalidLiteral(kind));
    return { kind: 'literal', position, value: value ?? null } satisfies LiteralExpression;
  }
}
