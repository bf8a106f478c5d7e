/**
 * Field ownership and server-side apply: sets of field paths, the entries of `metadata.managedFields` after every kind
 * of write, and the merge of applied configurations. All functions are pure functions on JSON values and the shapes of
 * their types. Decoding, defaulting and storing happen elsewhere.
 */
export { afterUpdate } from './after-update.ts';
export { type ApplyResult, apply } from './apply.ts';
export { checkApplied, conversionProblem, hasPaths, TypedPatchError } from './check-applied.ts';
export { describeConflicts } from './conflict.ts';
export type { FieldFilter } from './field-filter.ts';
export { MalformedFieldsError } from './field-set.ts';
export { keepTimes } from './keep-times.ts';
export { withLiteralQuantities } from './literal-quantities.ts';
export { MalformedEntryError, managedFieldsProblem } from './managed-entry.ts';
export { ConfigurationError, mergeConfiguration } from './merge-configuration.ts';
export { fieldElement } from './path-element.ts';
export { fieldFilter } from './reset-fields.ts';
export { sameValue } from './same-value.ts';
export { fromScaleEntries, type ScaledKind, toScaleEntries } from './scale-entries.ts';
export { anyShape, kindShape, type StructShape } from './shape.ts';
export type { ToVersion } from './version-view.ts';
