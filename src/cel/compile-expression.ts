import { type ASTNode, EvaluationError, type ParseResult } from '@marcbachmann/cel-js';
import { CelError } from './cel-error.ts';
import { type CelType, environmentOf } from './environment.ts';
import { compileErrorText, evaluationErrorText } from './error-text.ts';
import { childrenOf, visitNodes } from './expression-tree.ts';
import { checkPatterns } from './library/regex.ts';
import { replaceFunctions } from './library/replaced-functions.ts';
import { meterNodes } from './meter-nodes.ts';
import { withinWork } from './work.ts';

const longestExpression = 10 * 1024;
const usualWork = 1_000_000;

export interface CompileOptions {
  /** The variables that the expression may use: `dyn`, `map<string, dyn>`, or an object type with its fields. */
  readonly variables: Readonly<Record<string, CelType>>;
  /** What the expression may evaluate to, `bool` for instance. Without them: anything. */
  readonly resultTypes?: readonly string[];
  /** How much one evaluation may do, in steps of the size of one operator. */
  readonly maximumWork?: number;
}

/** An expression that is known to make sense. Stateless; evaluations never overlap, as they are synchronous. */
export interface CelProgram {
  readonly text: string;
  /** `dyn` when that is known only after the evaluation. */
  readonly resultType: string;
  /** Whether the expression reads this field of this variable anywhere, by `.field` or `.?field`. */
  selects(variable: string, field: string): boolean;
  /** The value, with every variable given as `celValue` makes them. Throws `CelError` when there is no value. */
  evaluate(values: Readonly<Record<string, unknown>>): unknown;
}

/** Parses and checks an expression. Throws `CelError` with a text that says where it is wrong. */
export function compileExpression(text: string, options: CompileOptions): CelProgram {
  if (Buffer.byteLength(text) > longestExpression) {
    throw new CelError(`compilation failed: expression is longer than ${longestExpression} bytes`);
  }
  const { parsed, type } = check(text, options);
  const { resultTypes } = options;
  if (resultTypes !== undefined && !resultTypes.includes(type)) {
    const one = resultTypes.length === 1;
    throw new CelError(`must evaluate to ${one ? resultTypes[0] : `one of [${resultTypes.join(' ')}]`}`);
  }
  const work = options.maximumWork ?? usualWork;
  return {
    text,
    resultType: type,
    selects: (variable, field) => selects(parsed.ast, variable, field),
    evaluate: (values) => evaluate(parsed, values, work),
  };
}

function check(text: string, { variables }: CompileOptions): { readonly parsed: ParseResult; readonly type: string } {
  try {
    const parsed = environmentOf(variables).parse(text);
    replaceFunctions(parsed.ast);
    const { valid, type, error } = parsed.check();
    if (!valid) throw error;
    checkPatterns(parsed.ast);
    meterNodes(parsed.ast);
    return { parsed, type: type! };
  } catch (error) {
    throw new CelError(compileErrorText(error, text));
  }
}

function evaluate(parsed: ParseResult, values: Readonly<Record<string, unknown>>, work: number): unknown {
  try {
    return withinWork(work, () => parsed(values));
  } catch (error) {
    if (error instanceof CelError) throw error;
    if (error instanceof EvaluationError) throw new CelError(evaluationErrorText(error));
    // Whatever an expression of a user meets is a matter of that expression, not a fault of the server.
    throw new CelError((error as Error).message, { cause: error });
  }
}

function selects(root: ASTNode, variable: string, field: string): boolean {
  let isFound = false;
  visitNodes(root, (node) => {
    if ((node.op !== '.' && node.op !== '.?') || node.args[1] !== field) return;
    const [operand] = childrenOf(node);
    if (operand?.op === 'id' && operand.args === variable) isFound = true;
  });
  return isFound;
}
