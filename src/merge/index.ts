/**
 * Applies patches to objects: JSON Patch, JSON Merge Patch and strategic merge patch. All functions are pure functions
 * on JSON values: they never modify their arguments, and results share unchanged parts with them. Parsing request
 * bodies, decoding the result into its type and storing it happen elsewhere.
 */
export { type JsonPatchOperation, jsonDiff } from './json-diff.ts';
export { FailedTest, JsonPatchFailure } from './json-document.ts';
export { applyJsonMergePatch } from './json-merge-patch.ts';
export { applyJsonPatch } from './json-patch.ts';
export { checkRepeatedMembers, jsonPatchFindings } from './json-patch-operations.ts';
export type { PatchOptions } from './patch-options.ts';
export { applyStrategicMergePatch } from './strategic/apply-strategic-merge-patch.ts';
export { patchInErrors } from './strategic/patch-in-errors.ts';
export { restoreIntegers } from './strategic/restore-integers.ts';
export { restoreProblem } from './strategic/restore-problem.ts';
