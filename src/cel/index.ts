/*
 * The Common Expression Language as Kubernetes uses it: `parser/` makes a syntax tree and expands macros, `checker/`
 * finds types and overloads, `cost/` estimates what an evaluation may cost, `evaluate/` compiles the tree into closures
 * that read plain JSON, and `library/` has the functions, each with its signatures, implementation and costs.
 */
export { CelError, type CelErrorCode } from './cel-error.ts';
export {
  anyType,
  boolType,
  bytesType,
  type CelField,
  type CelType,
  doubleType,
  dynType,
  intType,
  listType,
  mapType,
  type ObjectType,
  objectType,
  optionalType,
  stringType,
  timestampType,
  typeNameText,
} from './checker/cel-type.ts';
export { libraryTypes } from './checker/declarations.ts';
export {
  type CelProgram,
  type CompileOptions,
  compileExpression,
  type EvaluationOptions,
  type Execution,
} from './compile-expression.ts';
export { CelMessage, plainData } from './evaluate/adopt-json.ts';
export { interrupted } from './evaluate/frame.ts';
export { jsonOf } from './evaluate/json-of.ts';
export { ComputedMap } from './evaluate/values.ts';
export { ExpressionMetrics } from './expression-metrics.ts';
export { escapeFieldName } from './field-name.ts';
export { type AccessCheck, type AccessDecision, AuthorizerValue, type CheckedResource } from './library/authorizers.ts';
export { patchFunctions, patchTypes } from './library/patch-types.ts';
