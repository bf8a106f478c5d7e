import type { ImagePolicyOptions, ImageReviewStatus } from '../../admission/index.ts';
import { reviewStatus } from '../../authn/webhook/index.ts';
import { JsonEndpoint, type ReadFileSync, readKubeconfig } from '../../client/index.ts';
import type { Meter } from '../../meta/meter.ts';
import type { ImagePolicyConfiguration } from './plugin-configurations.ts';

const review = { kind: 'ImageReview', apiVersion: 'imagepolicy.k8s.io/v1alpha1' };

/** The backend of the plugin ImagePolicyWebhook. Throws a RangeError for an invalid kubeconfig. */
export function imagePolicyBackend(
  configuration: ImagePolicyConfiguration,
  { meter, read, stop }: { readonly meter?: Meter; readonly read?: ReadFileSync; readonly stop: AbortSignal },
): ImagePolicyOptions {
  const { kubeConfigFile, retryBackoffMs: firstPauseMs, ...rest } = configuration;
  const endpoint = new JsonEndpoint(readKubeconfig(kubeConfigFile, read), { firstPauseMs, meter, stop });
  stop.addEventListener('abort', () => endpoint.close(), { once: true });
  return {
    ...rest,
    review: async (spec): Promise<ImageReviewStatus> => {
      const status = reviewStatus(await endpoint.post({ ...review, metadata: {}, spec, status: {} }), review);
      return {
        allowed: status.flag('allowed'),
        reason: status.text('reason'),
        auditAnnotations: status.textMap('auditAnnotations'),
      };
    },
  };
}
