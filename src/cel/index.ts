/**
 * Expressions of the Common Expression Language, as users write them into configurations and objects: compiled once
 * with the types of their variables, evaluated often, within bounds of time and size. The functions are those of
 * Kubernetes.
 */
export { CelError } from './cel-error.ts';
export { celValue } from './cel-value.ts';
export { type CelProgram, type CompileOptions, compileExpression } from './compile-expression.ts';
export type { CelObjectType, CelType } from './environment.ts';
