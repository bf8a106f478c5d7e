import { AsyncCache } from '../../meta/async-cache.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { StatusError } from '../../meta/status-error.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { admissionForbidden } from './admission-forbidden.ts';

/** The images of a pod, as the backend gets them. */
export interface ImageReviewSpec {
  readonly containers: readonly { readonly image?: string }[];
  /** The annotations whose key contains `.image-policy.k8s.io/`. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly namespace: string;
}

export interface ImageReviewStatus {
  readonly allowed: boolean;
  readonly reason: string;
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

export interface ImagePolicyOptions {
  /** Calls the backend. Rejects when it does not answer. */
  readonly review: (spec: ImageReviewSpec) => Promise<ImageReviewStatus>;
  /** How long the decisions are cached. 0: not at all. */
  readonly allowMs: number;
  readonly denyMs: number;
  /** Whether pods are admitted when the backend does not answer. */
  readonly defaultAllow: boolean;
  readonly now?: () => number;
}

const maxKept = 1024;
/** Longer keys are not cached, because clients could fill the memory with them. */
const maxKeptLength = 10_000;
const auditPrefix = 'imagepolicywebhook.image-policy.k8s.io/';

/** Checks with a backend whether the images of a pod may be used. */
export function imagePolicyWebhook(options: ImagePolicyOptions): AdmissionPlugin {
  const { review, allowMs, denyMs, defaultAllow, now } = options;
  const statuses = new AsyncCache<ImageReviewStatus>({ maxSize: maxKept, now });
  const requestReview = (spec: ImageReviewSpec): Promise<ImageReviewStatus> | ImageReviewStatus => {
    const key = JSON.stringify(spec);
    return statuses.get(key, async () => {
      const value = await review(spec);
      return { value, ttlMs: key.length > maxKeptLength ? 0 : value.allowed ? allowMs : denyMs };
    });
  };
  return {
    name: 'ImagePolicyWebhook',
    rules: [
      { operations: ['CREATE', 'UPDATE'], resources: ['/pods'] },
      { operations: ['UPDATE'], resources: ['/pods/ephemeralcontainers'] },
    ],
    async validate(request) {
      let status: ImageReviewStatus;
      try {
        status = await requestReview(specOf(request));
      } catch (error) {
        // This server stops, which is no failure of the webhook.
        if (error instanceof StatusError) throw error;
        if (!defaultAllow) throw admissionForbidden(request, (error as Error).message);
        request.annotate(`${auditPrefix}failed-open`, 'true');
        return;
      }
      for (const [key, value] of Object.entries(status.auditAnnotations)) request.annotate(auditPrefix + key, value);
      if (!status.allowed) throw admissionForbidden(request, denial(status));
    },
  };
}

function denial({ reason }: ImageReviewStatus): string {
  if (reason === '') return 'one or more images rejected by webhook backend';
  return `image policy webhook backend denied one or more images: ${reason}`;
}

function specOf({ object, subresource, namespace }: AdmissionRequest): ImageReviewSpec {
  const annotations = Object.entries(object.metadata.annotations ?? {})
    .filter(([key]) => key.includes('.image-policy.k8s.io/'))
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    containers: imagesOf(object, subresource),
    ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
    namespace,
  };
}

function imagesOf({ spec }: ResourceObject, subresource: string): ImageReviewSpec['containers'] {
  type Containers = readonly { readonly image?: string }[] | null;
  const { containers, initContainers, ephemeralContainers } = (spec ?? {}) as Readonly<Record<string, Containers>>;
  const used = subresource === '' ? [...(containers ?? []), ...(initContainers ?? [])] : (ephemeralContainers ?? []);
  return used.map(({ image }) => (image === undefined ? {} : { image }));
}
