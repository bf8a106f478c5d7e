/**
 * Normalizes decoded input to a canonical object, in one pass that is compiled from the schema. The pass is fast and
 * tracks no paths. When it detects an error or an unknown field, `inspect.ts` walks the object again, slowly and in
 * document order, to report it. Rules that involve more than the type of a single value are not checked here.
 */
export { type CompiledKind, compileKind, type NormalizeOptions } from './compile-kind.ts';
export { Findings } from './findings.ts';
export { hasUnknownField, isOfType } from './inspect.ts';
