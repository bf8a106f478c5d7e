import { type CompiledExpression, compileAdmissionExpression } from './compiled-expression.ts';
import type { Composition } from './composition.ts';

/** The types of the results of mutations, by their patch type. */
const resultTypes = {
  ApplyConfiguration: ['Object'],
  JSONPatch: ['list(JSONPatch)'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type MutationPatchType = keyof typeof resultTypes;

/** Compiles the expression of a mutation of a policy. Does not throw. */
export function compileMutation(
  text: string,
  patchType: MutationPatchType,
  composition: Composition,
): CompiledExpression {
  return compileAdmissionExpression(text, {
    environment: composition.environment({ hasAuthorizer: true }),
    resultTypes: resultTypes[patchType],
    isMutation: true,
  });
}
