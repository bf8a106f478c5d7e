import type { ResourceRules } from '../../registry/resource-definition.ts';
import { ephemeralContainersPart } from './pod/ephemeral-containers-part.ts';
import { setPodDefaults } from './pod/pod-defaults.ts';
import { podGracePeriod } from './pod/pod-grace-period.ts';
import { preparePod } from './pod/pod-preparation.ts';
import { keepPodStatus } from './pod/pod-status-preparation.ts';
import { validatePodStatus } from './pod/pod-status-validation.ts';
import { validatePodUpdate } from './pod/pod-update-validation.ts';
import { validatePod } from './pod/pod-validation.ts';
import { podWarnings } from './pod/pod-warnings.ts';
import { resizePart } from './pod/resize-part.ts';
import { dropUnservedIn } from './pod/unserved-references.ts';

export const podRules: Partial<ResourceRules> = {
  dropUnserved: dropUnservedIn('spec'),
  setDefaults: setPodDefaults,
  prepareCreate: preparePod,
  prepareStatusUpdate: keepPodStatus,
  validate: validatePod,
  validateUpdate: validatePodUpdate,
  validateStatus: validatePodStatus,
  warnings: podWarnings,
  gracePeriod: podGracePeriod,
  parts: { ephemeralcontainers: ephemeralContainersPart, resize: resizePart },
};
