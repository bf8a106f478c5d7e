/*
 * The Common Expression Language as Kubernetes uses it: `parser/` makes a syntax tree and expands macros, `checker/`
 * finds types and overloads, `cost/` estimates what an evaluation may cost, `evaluate/` compiles the tree into closures
 * that read plain JSON, and `library/` has the functions, each with its signatures, implementation and costs.
 */
export { CelError, type CelErrorCode } from './cel-error.ts';
export {
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
} from './checker/cel-type.ts';
export { type CelProgram, type CompileOptions, compileExpression } from './compile-expression.ts';
export { CelMessage } from './evaluate/adopt-json.ts';
export { jsonOf } from './evaluate/json-of.ts';
export { escapeFieldName } from './field-name.ts';
export { patchFunctions, patchTypes } from './library/patch-types.ts';
