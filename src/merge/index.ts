/**
 * How a change is combined with what is there: JSON patch, merge patch and strategic merge patch. Everything here is a pure
 * function on JSON values: arguments are never changed, and results share the parts that did not change. Parsing bodies,
 * decoding the result into its type and storing it happen elsewhere.
 */
export { goPrint, jsonTypeName } from './go-value.ts';
export { applyJsonMergePatch } from './json-merge-patch.ts';
export { applyJsonPatch } from './json-patch.ts';
export { checkRepeatedMembers, jsonPatchFindings } from './json-patch-operations.ts';
export type { PatchOptions } from './patch-options.ts';
export { applyStrategicMergePatch } from './strategic/apply-strategic-merge-patch.ts';
export { restoreProblem } from './strategic/restore-problem.ts';
