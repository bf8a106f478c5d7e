import {
  CelError,
  type CelProgram,
  type CelType,
  type CompileOptions,
  compileExpression,
  optionalType,
} from '../../cel/index.ts';
import { isTurnOver, type Steps } from '../../meta/turns.ts';
import { findField } from '../structural/field-path.ts';
import type { JsonSchema, ValidationRule } from '../structural/json-schema.ts';

/** A validation rule of a schema, compiled. */
export interface CompiledRule {
  readonly source: ValidationRule;
  /** Undefined for an empty rule and when there is a problem. */
  readonly program?: CelProgram;
  /** Why the rule cannot be used. */
  readonly problem?: string;
  readonly message?: CelProgram;
  readonly messageProblem?: string;
  /** Whether the rule compares with the value before the update. */
  readonly isTransition: boolean;
  /** The path in the value at which an error is reported. Empty for the value itself. */
  readonly fieldPath: string;
}

/** Compiles the rules of one schema, without those of nested schemas, for values of the type. */
export function* compileRules(schema: JsonSchema, type: CelType): Steps<readonly CompiledRule[]> {
  const compiled: CompiledRule[] = [];
  for (const rule of schema['x-kubernetes-validations'] ?? []) {
    compiled.push(compileRule(rule, schema, type));
    if (isTurnOver()) yield;
  }
  return compiled;
}

/** Compiles one rule of a schema. */
export function compileRule(source: ValidationRule, schema: JsonSchema, self: CelType): CompiledRule {
  const { rule = '', messageExpression = '', fieldPath = '', optionalOldSelf } = source;
  const found = fieldPath === '' ? undefined : findField(fieldPath, schema, { indexes: true });
  const base = { source, isTransition: false, fieldPath: typeof found === 'object' ? found.text : '' };
  if (rule.trim() === '') return base;
  const variables = { self, oldSelf: optionalOldSelf === true ? optionalType(self) : self };
  const compiled = compile(rule, { variables, resultTypes: ['bool'], resultProblem: () => wrongRule });
  if (typeof compiled === 'string') return { ...base, problem: compiled };
  const usable = { ...base, program: compiled, isTransition: compiled.uses('oldSelf') };
  if (messageExpression === '') return usable;
  const message = compile(messageExpression, {
    variables,
    resultTypes: ['string'],
    resultProblem: () => 'must evaluate to a string',
  });
  if (typeof message !== 'string') return { ...usable, message };
  return { ...usable, messageProblem: `messageExpression ${message.replace(/^program /, '')}` };
}

const wrongRule = 'cel expression must evaluate to a bool';

function compile(text: string, options: CompileOptions): CelProgram | string {
  try {
    return compileExpression(text, { ...options, sizeRoot: 'self' });
  } catch (error) {
    if (error instanceof CelError) return error.message;
    throw error;
  }
}
