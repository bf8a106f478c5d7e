import { type ASTNode, EvaluationError, type ParseResult } from '@marcbachmann/cel-js';
import { CelError } from './cel-error.ts';
import { type CelType, environmentOf } from './environment.ts';
import { compileErrorText, evaluationErrorText } from './error-text.ts';
import { childrenOf, visitNodes } from './expression-tree.ts';
import { checkPatterns } from './library/regex.ts';
import { replaceFunctions } from './library/replaced-functions.ts';
import { meterNodes } from './meter-nodes.ts';
import { withCostLimit } from './work.ts';

const maxExpressionLength = 10 * 1024;
const defaultWork = 1_000_000;

export interface CompileOptions {
  /** The variables that the expression may use: `dyn`, `map<string, dyn>`, or an object type with its fields. */
  readonly variables: Readonly<Record<string, CelType>>;
  /** Permitted result types, for example `bool`. Default: any. */
  readonly resultTypes?: readonly string[];
  /** Cost limit of one evaluation. One operator costs about one unit. */
  readonly maxWork?: number;
}

/** A compiled and type-checked expression. Stateless. Evaluation is synchronous, so evaluations never overlap. */
export interface CelProgram {
  readonly text: string;
  /** `dyn` when the type is only known at run time. */
  readonly resultType: string;
  /** Whether the expression reads this field of this variable anywhere, as `.field` or `.?field`. */
  selects(variable: string, field: string): boolean;
  /**
   * Evaluates the expression. The values of all variables must come from `celValue`. Throws a `CelError` on failure.
   */
  evaluate(values: Readonly<Record<string, unknown>>): unknown;
}

/** Parses and type-checks an expression. Throws a `CelError` that shows the position of the fault. */
export function compileExpression(text: string, options: CompileOptions): CelProgram {
  if (Buffer.byteLength(text) > maxExpressionLength) {
    throw new CelError(`compilation failed: expression is longer than ${maxExpressionLength} bytes`);
  }
  const { parsed, type } = check(text, options);
  const { resultTypes } = options;
  if (resultTypes !== undefined && !resultTypes.includes(type)) {
    const one = resultTypes.length === 1;
    throw new CelError(`must evaluate to ${one ? resultTypes[0] : `one of [${resultTypes.join(' ')}]`}`);
  }
  const work = options.maxWork ?? defaultWork;
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
    return withCostLimit(work, () => parsed(values));
  } catch (error) {
    if (error instanceof CelError) throw error;
    if (error instanceof EvaluationError) throw new CelError(evaluationErrorText(error));
    // Any error during evaluation is caused by the expression and is not a server fault.
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
