import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { ephemeralContainersRules } from './pod/ephemeral-containers-rules.ts';
import { setPodDefaults } from './pod/pod-defaults.ts';
import { preparePod } from './pod/pod-preparation.ts';
import { keepPodStatus } from './pod/pod-status-preparation.ts';
import { validatePodStatus } from './pod/pod-status-validation.ts';
import { validatePodUpdate } from './pod/pod-update-validation.ts';
import { validatePod } from './pod/pod-validation.ts';
import { podWarnings } from './pod/pod-warnings.ts';
import { resizeRules } from './pod/resize-rules.ts';
import { dropUnservedIn } from './pod/unserved-references.ts';
import type { PodSpec } from './pod-types.ts';

export const podRules: Partial<ResourceRules> = {
  dropUnserved: dropUnservedIn('spec'),
  setDefaults: setPodDefaults,
  prepareCreate: preparePod,
  prepareStatusUpdate: keepPodStatus,
  updateChecks: ['metadataChange', 'metadata', 'change'],
  validate: validatePod,
  validateUpdate: validatePodUpdate,
  validateStatus: validatePodStatus,
  warnings: podWarnings,
  gracePeriod: podGracePeriod,
  subresourceRules: { ephemeralcontainers: ephemeralContainersRules, resize: resizeRules },
};

/** A pod that has no node, or whose containers have ended, is deleted without a grace period. */
function podGracePeriod(pod: ResourceObject, requested: number | undefined): number {
  const { nodeName = '', terminationGracePeriodSeconds = 0 } = (pod.spec ?? {}) as PodSpec;
  const { phase } = (pod.status ?? {}) as { readonly phase?: string };
  if (nodeName === '' || phase === 'Succeeded' || phase === 'Failed') return 0;
  const seconds = requested ?? terminationGracePeriodSeconds;
  return seconds < 0 ? 1 : seconds;
}
