import {
  CelError,
  type CelProgram,
  type CelType,
  compileExpression,
  patchFunctions,
  patchTypes,
  typeNameText,
} from '../../cel/index.ts';

/** An expression with its program, or with the reason why it has none. */
export type CompiledExpression = UsableExpression | FaultyExpression;

interface UsableExpression {
  readonly text: string;
  readonly program: CelProgram;
  readonly problem?: undefined;
  readonly isTyped?: undefined;
}

interface FaultyExpression {
  readonly text: string;
  readonly program?: undefined;
  /** The problem, worded as in an error of validation. */
  readonly problem: string;
  /** Whether all types are right and only a constant part of the expression has no value. */
  readonly isTyped: boolean;
}

export interface ExpressionOptions {
  readonly environment: Readonly<Record<string, CelType>>;
  /** The types that the result may have, for example `bool`. Default: any. */
  readonly resultTypes?: readonly string[];
  /** Whether the expression may construct objects and patches. */
  readonly isMutation?: boolean;
}

export const booleanResult: readonly string[] = ['bool'];
export const stringResult: readonly string[] = ['string'];
export const annotationResult: readonly string[] = ['string', 'null_type'];

const mutation = { functions: patchFunctions, messages: patchTypes };

/** Compiles an expression of an admission configuration. Does not throw. */
export function compileAdmissionExpression(
  text: string,
  { environment: variables, resultTypes, isMutation = false }: ExpressionOptions,
): CompiledExpression {
  try {
    const resultProblem = (type: CelType): string => {
      const wanted = resultTypes!.length === 1 ? resultTypes![0] : `one of [${resultTypes!.join(' ')}]`;
      return `must evaluate to ${wanted} but got ${typeNameText(type)}`;
    };
    const options = { variables, resultTypes, resultProblem, ...(isMutation && mutation) };
    return { text, program: compileExpression(text, options) };
  } catch (error) {
    if (error instanceof CelError) return { text, problem: error.message, isTyped: error.code === 'instantiation' };
    throw error;
  }
}
