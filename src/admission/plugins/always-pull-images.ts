import { fieldErrorText, notSupportedValue } from '../../meta/field-error.ts';
import { joinedErrors } from '../../meta/joined-errors.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { StatusError } from '../../meta/status-error.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { admissionForbidden } from './admission-forbidden.ts';

interface ImageUser {
  readonly image?: string;
  imagePullPolicy?: string;
}

interface ImageVolume {
  readonly reference?: string;
  pullPolicy?: string;
}

interface PodSpec {
  readonly containers?: readonly ImageUser[] | null;
  readonly initContainers?: readonly ImageUser[] | null;
  readonly ephemeralContainers?: readonly ImageUser[] | null;
  readonly volumes?: readonly { readonly image?: ImageVolume | null }[] | null;
}

const groups = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** An image of the pod and how it is pulled. */
interface PulledImage {
  readonly image: string | undefined;
  /** The field with the policy. */
  readonly path: string;
  readonly policy: string | undefined;
  readonly setPolicy: (policy: string) => void;
}

/**
 * Sets the pull policy of all images to Always, so that pods cannot use an image on a node without the credentials to
 * pull it.
 */
export const alwaysPullImages: AdmissionPlugin = {
  name: 'AlwaysPullImages',
  rules: [{ operations: ['CREATE', 'UPDATE'], resources: ['/pods'] }],
  mutate(request) {
    if (hasNoNewImage(request)) return;
    for (const { setPolicy } of imagesOf(request.object)) setPolicy('Always');
  },
  validate(request) {
    if (hasNoNewImage(request)) return;
    const wrong = imagesOf(request.object).filter(({ policy }) => policy !== 'Always');
    const details = wrong.map(({ path, policy }) => fieldErrorText(notSupportedValue(path, policy ?? '', ['Always'])));
    if (details.length === 0) return;
    if (details.length === 1) throw admissionForbidden(request, details[0]!);
    // Several errors have no common reason.
    const message = joinedErrors(details.map((detail) => admissionForbidden(request, detail).message));
    throw new StatusError({ code: 500, reason: '', message });
  },
};

/** The policy of a running pod cannot change. */
function hasNoNewImage({ object, oldObject }: AdmissionRequest): boolean {
  if (oldObject === undefined) return false;
  const known = new Set(imagesOf(oldObject).map(({ image }) => image));
  return imagesOf(object).every(({ image }) => known.has(image));
}

function imagesOf({ spec }: ResourceObject): PulledImage[] {
  const pod = (spec ?? {}) as PodSpec;
  const containers = groups.flatMap((group) =>
    (pod[group] ?? []).map((container, index) => ({
      image: container.image,
      path: `spec.${group}[${index}].imagePullPolicy`,
      policy: container.imagePullPolicy,
      setPolicy: (policy: string) => {
        container.imagePullPolicy = policy;
      },
    })),
  );
  const volumes = (pod.volumes ?? []).flatMap(({ image }, index) =>
    image
      ? [
          {
            image: image.reference,
            path: `spec.volumes[${index}].image.pullPolicy`,
            policy: image.pullPolicy,
            setPolicy: (policy: string) => {
              image.pullPolicy = policy;
            },
          },
        ]
      : [],
  );
  return [...containers, ...volumes];
}
