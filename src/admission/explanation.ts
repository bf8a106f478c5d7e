import { jsonDiff } from '../merge/index.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import { StatusError } from '../meta/status-error.ts';
import type { AdmissionPlugin, Mutated } from './admission-plugin.ts';
import type { AdmissionRequest, AdmissionStep } from './admission-request.ts';

/** Runs the mutation of a plugin and reports what it changed, or that it rejected the request. */
export async function explainMutation(
  { name: plugin, explainsItself }: AdmissionPlugin,
  request: AdmissionRequest,
  mutate: (request: AdmissionRequest) => MaybePromise<Mutated>,
): Promise<Mutated> {
  if (explainsItself) return mutate(request);
  // Plugins may change the object in place.
  const before = structuredClone(request.object);
  const object = await explainRejection({ plugin, phase: 'mutate' }, request, () => mutate(request));
  const patch = jsonDiff(before, object ?? request.object);
  if (patch.length > 0) request.explain!({ plugin, phase: 'mutate', patch });
  return object;
}

/** Runs the check of a plugin and reports whether it rejected the request. */
export function explainValidation(
  { name: plugin, explainsItself }: AdmissionPlugin,
  request: AdmissionRequest,
  validate: () => MaybePromise<void>,
): MaybePromise<void> {
  return explainsItself ? validate() : explainRejection({ plugin, phase: 'validate' }, request, validate);
}

/** Runs one step and reports whether it rejected the request. */
export async function explainRejection<T>(
  step: Omit<AdmissionStep, 'denied' | 'patch'>,
  { explain }: Pick<AdmissionRequest, 'explain'>,
  run: () => MaybePromise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof StatusError) explain?.({ ...step, denied: error.message });
    throw error;
  }
}
