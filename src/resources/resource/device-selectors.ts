import {
  anyType,
  boolType,
  CelError,
  type CelProgram,
  type CelType,
  compileExpression,
  libraryTypes,
  objectType,
  typeNameText,
} from '../../cel/index.ts';
import { type FieldError, forbiddenValue, invalidValue } from '../../meta/field-error.ts';
import { isTurnOver, type Steps } from '../../meta/turns.ts';

const maxCost = 1_000_000;
const maxProperties = 32;
const text = (maxElements: number): CelType => ({ kind: 'string', maxElements });
const mapOf = (keys: CelType, values: CelType): CelType => ({ kind: 'map', keys, values, maxElements: maxProperties });
/** Attributes and capacities by domain and name. */
const properties = (values: CelType): CelType => mapOf(text(63), mapOf(text(32), values));

const variables = {
  device: objectType('kubernetes.DRADevice', {
    driver: text(63),
    attributes: properties({ ...anyType, maxElements: 64 }),
    capacity: properties(libraryTypes.Quantity!),
    allowMultipleAllocations: { ...boolType, maxElements: 1 },
  }),
};

/** The errors of expressions that select devices, by expression. Valid expressions have none. */
export type SelectorErrors = ReadonlyMap<string, (field: string) => FieldError>;

/** Type-checks expressions and estimates their costs. */
export function* checkSelectors(expressions: Iterable<string>): Steps<SelectorErrors> {
  const errors = new Map<string, (field: string) => FieldError>();
  for (const expression of new Set(expressions)) {
    const error = expressionError(expression);
    if (error !== undefined) errors.set(expression, error);
    if (isTurnOver()) yield;
  }
  return errors;
}

function expressionError(expression: string): ((field: string) => FieldError) | undefined {
  const compiled = compile(expression);
  if (typeof compiled === 'string') return (field) => invalidValue(field, expression, compiled);
  if (compiled.estimatedCost.max <= maxCost) return undefined;
  return (field) => forbiddenValue(field, 'too complex, exceeds cost limit');
}

function compile(expression: string): CelProgram | string {
  try {
    return compileExpression(expression, {
      variables,
      hasBindings: true,
      resultTypes: ['bool', 'any'],
      resultProblem: (type) => `must evaluate to bool or the unknown type, not ${typeNameText(type)}`,
    });
  } catch (error) {
    if (error instanceof CelError) return error.message;
    throw error;
  }
}
