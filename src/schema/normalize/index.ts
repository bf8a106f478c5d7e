/**
 * From decoded input to a canonical object, in one pass that is compiled from the schema. The pass is fast and keeps no
 * paths; when it meets something worth a word, `inspect.ts` walks again, slowly and in the order of the document, to
 * say what it is. Rules that need more than the type of one value are no concern of this folder.
 */
export { type CompiledKind, compileKind, type NormalizeOptions } from './compile-kind.ts';
export { Findings } from './findings.ts';
export { hasUnknownField, isOfType } from './inspect.ts';
