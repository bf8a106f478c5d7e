import { encodeJson } from '../../codec/json/index.ts';
import type { MutationPass } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import type { PatchOperations } from './patch-object.ts';
import type { MatchingWebhook } from './webhook-index.ts';

/** Longer patches are not recorded. */
const maxPatchLength = 64 * 1024;

/** The audit annotations for one call of a mutating webhook. */
export class MutationAnnotations {
  readonly #request: AdmissionRequest;
  readonly #names: { readonly configuration: string; readonly webhook: string };
  readonly #key: string;

  constructor(request: AdmissionRequest, { webhook, index }: MatchingWebhook, { isReinvocation }: MutationPass) {
    this.#request = request;
    this.#names = { configuration: webhook.configuration, webhook: webhook.name };
    this.#key = `round_${isReinvocation ? 1 : 0}_index_${index}`;
  }

  called({ isChanged }: { readonly isChanged: boolean }): void {
    const value = encodeJson({ ...this.#names, mutated: isChanged });
    this.#request.annotate(`mutation.webhook.admission.k8s.io/${this.#key}`, value);
  }

  patched(patch: PatchOperations): void {
    const value = encodeJson({ ...this.#names, patch, patchType: 'JSONPatch' });
    if (value.length > maxPatchLength) return;
    this.#request.annotate(`patch.webhook.admission.k8s.io/${this.#key}`, value, { showsObject: true });
  }

  failedOpen(): void {
    this.#request.annotate(`failed-open.mutation.webhook.admission.k8s.io/${this.#key}`, this.#names.webhook);
  }
}
