/**
 * Common Expression Language: expressions in configurations and objects. They are compiled once with the types of their
 * variables and evaluated often, with limits on time and size. The function library is that of Kubernetes.
 */
export { CelError } from './cel-error.ts';
export { celValue } from './cel-value.ts';
export { type CelProgram, type CompileOptions, compileExpression } from './compile-expression.ts';
export type { CelObjectType, CelType } from './environment.ts';
