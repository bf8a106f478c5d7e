import { isTurnOver, type Steps } from '../meta/turns.ts';
import { CelError, costLimitExceeded } from './cel-error.ts';
import { type CelType, typeNameText, typeText } from './checker/cel-type.ts';
import { checkExpression } from './checker/check.ts';
import type { FunctionTable, MessageTypes } from './checker/declarations.ts';
import { validateExpression } from './checker/validate-expression.ts';
import type { Range } from './cost/call-cost.ts';
import { estimateCost } from './cost/estimate-cost.ts';
import { plainValue } from './evaluate/adopt-json.ts';
import { Frame, type Interruptions, interrupted, type Run } from './evaluate/frame.ts';
import { type Plan, planExpression } from './evaluate/plan.ts';
import { kubernetesFunctions } from './library/kubernetes-functions.ts';
import { type Expression, visitExpressions } from './parser/expression.ts';
import { parseExpression } from './parser/parse.ts';
import { withWorkLimit } from './work.ts';

/** Kubernetes' limit for one evaluation. */
const defaultCostLimit = 1_000_000;
const maxWork = 1_000_000;
/** The parts of expressions whose constants are evaluated when they are planned, so that planning may fail. */
const mayNotPlan = /\[|\b(?:bool|bytes|double|duration|find|findAll|int|matches|string|timestamp|uint)\(/;
const noMessages: MessageTypes = () => undefined;

export interface CompileOptions {
  /** The types of the variables that the expression may use. */
  readonly variables: Readonly<Record<string, CelType>>;
  /** Permitted result types, for example `list(string)` or `null_type`. Default: any. */
  readonly resultTypes?: readonly string[] | undefined;
  /** The message for another result type. */
  readonly resultProblem?: (type: CelType) => string;
  /** Default: those of all expressions in Kubernetes. */
  readonly functions?: FunctionTable;
  /** The types of objects that the expression may construct. Default: none. */
  readonly messages?: MessageTypes;
  /** Whether the expression may use `cel.bind`. Default: false, as in most expressions in Kubernetes. */
  readonly hasBindings?: boolean;
  /** The variable whose type has the sizes for the cost estimate of all variables. Default: each has its own. */
  readonly sizeRoot?: string;
}

export interface EvaluationOptions {
  /** The evaluation stops when it costs more. */
  readonly costLimit?: number;
  /** Adds up the costs, also those of evaluations that fail. */
  readonly meter?: { cost: number };
}

export interface SteppedOptions extends EvaluationOptions {
  readonly interruptions?: Interruptions;
}

export interface Evaluation {
  /** Plain data: ints are bigints, lists are arrays, maps are Maps. */
  readonly value: unknown;
  readonly cost: number;
}

/** A compiled and type-checked expression. Stateless. An evaluation is synchronous, or in steps that are. */
export interface CelProgram {
  readonly text: string;
  /** As in messages, for example `list(string)`. `dyn` when the type is only known at run time. */
  readonly resultType: string;
  readonly type: CelType;
  /** The cost that one evaluation has at least and at most. */
  readonly estimatedCost: Range;
  /** Whether the expression reads this field of this variable anywhere, as `.field` or `.?field`. */
  selects(variable: string, field: string): boolean;
  /** Whether the expression uses a variable of this name, also one that a macro declares. */
  uses(variable: string): boolean;
  /** Evaluates the expression with the JSON values of the variables. Throws a `CelError` on failure. */
  evaluate(values: Readonly<Record<string, unknown>>, options?: EvaluationOptions): Evaluation;
  /**
   * Like `evaluate`, but can be interrupted inside loops and before long calls: by default when the turn of the event
   * loop is over. A cheap expression is evaluated at once.
   */
  evaluateInSteps(values: Readonly<Record<string, unknown>>, options?: SteppedOptions): Steps<Evaluation>;
  /** Begins an evaluation that can be interrupted. Its value has the form in which other expressions can use it. */
  begin(values: Readonly<Record<string, unknown>>, options?: SteppedOptions): Execution;
}

/** Parses and type-checks an expression. Throws a `CelError` that shows the positions of the faults. */
export function compileExpression(text: string, options: CompileOptions): CelProgram {
  const { variables, functions = kubernetesFunctions, messages = noMessages, sizeRoot, hasBindings } = options;
  const root = parseExpression(text, { hasBindings });
  const type = checkExpression(root, { source: text, variables, functions, messages });
  validateExpression(root, text);
  checkResult(type, options);
  // The plan and the cost are computed on demand: validating a definition needs only the cost, evaluating needs only
  // the plan.
  let plan: Plan | undefined;
  const planned = (): Plan => {
    plan ??= withWorkLimit(maxWork, () => planExpression(root, variables));
    return plan;
  };
  if (mayNotPlan.test(text)) planned();
  let estimate: Range | undefined;
  return {
    text,
    resultType: typeText(type),
    type,
    get estimatedCost() {
      estimate ??= estimateCost(root, { variables, root: sizeRoot });
      return estimate;
    },
    selects: (variable, field) => selects(root, variable, field),
    uses: (variable) => text.includes(variable) && uses(root, variable),
    evaluate: (values, options = {}) => evaluate(planned(), values, { ...options, convert: plainValue }),
    evaluateInSteps: (values, options = {}) =>
      evaluateInSteps(begin(planned(), values, { ...options, convert: plainValue })),
    begin: (values, options = {}) => begin(planned(), values, options),
  };
}

function checkResult(type: CelType, { resultTypes, resultProblem }: CompileOptions): void {
  if (resultTypes === undefined || resultTypes.includes(typeNameText(type))) return;
  const wanted = resultTypes.length === 1 ? resultTypes[0] : `one of [${resultTypes.join(' ')}]`;
  throw new CelError(resultProblem?.(type) ?? `must evaluate to ${wanted}`, 'compile');
}

interface RunOptions extends EvaluationOptions {
  readonly convert?: (value: unknown) => unknown;
  readonly work?: number;
}

function evaluate(
  { run, slots }: Plan,
  values: Readonly<Record<string, unknown>>,
  { costLimit: limit = defaultCostLimit, ...options }: RunOptions,
): Evaluation {
  return runIn(new Frame(values, { limit, slots }), run, options);
}

/** Expressions that cost less are evaluated at once, because a loop that saves its progress is slower. */
const quickCost = 5_000;
const betweenTurns: Interruptions = { isDue: isTurnOver, interval: 500 };

/** An evaluation that can be interrupted. */
export interface Execution {
  /**
   * Evaluates the expression, or continues it. An exception other than a `CelError` interrupts the evaluation, and the
   * next call continues it. `interrupted` is thrown when an interruption is due.
   */
  run(): Evaluation;
}

function begin(
  { run, slots }: Plan,
  values: Readonly<Record<string, unknown>>,
  {
    costLimit: limit = defaultCostLimit,
    interruptions = betweenTurns,
    ...options
  }: SteppedOptions & Pick<RunOptions, 'convert'>,
): Execution {
  let frame: Frame | undefined;
  return {
    run: () => {
      if (frame !== undefined) frame.restart();
      else if (limit > quickCost) {
        const quick = new Frame(values, { limit: quickCost, slots, isQuick: true });
        const evaluation = runQuickly(quick, run, options);
        if (evaluation !== undefined) return evaluation;
      }
      frame ??= new Frame(values, { limit, slots, interruptions });
      return runIn(frame, run, options);
    },
  };
}

/** Undefined when it costs too much. */
function runQuickly(frame: Frame, run: Run, { meter, ...options }: RunOptions): Evaluation | undefined {
  const quick = { cost: 0 };
  try {
    return runIn(frame, run, { ...options, meter: quick, work: quickCost });
  } catch (error) {
    if (error !== costLimitExceeded) throw error;
    quick.cost = 0;
    return undefined;
  } finally {
    if (meter !== undefined) meter.cost += quick.cost;
  }
}

function* evaluateInSteps(execution: Execution): Steps<Evaluation> {
  for (;;) {
    try {
      return execution.run();
    } catch (error) {
      if (error !== interrupted) throw error;
    }
    yield;
  }
}

function runIn(frame: Frame, run: Run, { meter, convert, work = maxWork }: RunOptions): Evaluation {
  let isOver = true;
  try {
    const value = withWorkLimit(work, () => (convert === undefined ? run(frame) : convert(run(frame))));
    return { value, cost: frame.cost };
  } catch (error) {
    // A text or number that is too large for this machine.
    if (error instanceof RangeError) throw new CelError(error.message);
    isOver = error instanceof CelError;
    throw error;
  } finally {
    if (meter !== undefined && isOver) meter.cost += frame.cost;
  }
}

function selects(root: Expression, variable: string, field: string): boolean {
  const isVariable = (operand: Expression): boolean => operand.kind === 'ident' && operand.name === variable;
  let found = false;
  visitExpressions(root, (node) => {
    if (node.kind === 'select' && node.field === field) found ||= isVariable(node.operand);
    if (node.kind !== 'call' || node.name !== '_?._') return;
    const [operand, name] = node.args as readonly [Expression, Expression];
    if (name.kind === 'literal' && name.value === field) found ||= isVariable(operand);
  });
  return found;
}

function uses(root: Expression, variable: string): boolean {
  let found = false;
  visitExpressions(root, (node) => {
    if (node.kind === 'ident') found ||= node.name.replace(/^\./, '') === variable;
  });
  return found;
}
