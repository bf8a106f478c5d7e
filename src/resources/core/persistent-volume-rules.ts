import { systemClock, timestamp } from '../../meta/clock.ts';
import type { FieldError } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { setVolumeDefaults } from './persistent-volume/persistent-volume-defaults.ts';
import { validateVolumeChange } from './persistent-volume/persistent-volume-update.ts';
import { validateVolumeSpec } from './persistent-volume/persistent-volume-validation.ts';
import { volumeWarnings } from './persistent-volume/persistent-volume-warnings.ts';
import type { PersistentVolumeSpec, PersistentVolumeStatus } from './persistent-volume-types.ts';

const specOf = ({ spec }: ResourceObject): PersistentVolumeSpec => (spec as PersistentVolumeSpec | undefined) ?? {};
const statusOf = ({ status }: ResourceObject): PersistentVolumeStatus =>
  (status as PersistentVolumeStatus | undefined) ?? {};

function validate(volume: ResourceObject): FieldError[] {
  return validateVolumeSpec(specOf(volume), 'spec', volume.metadata.name ?? '');
}

export const persistentVolumeRules: Partial<ResourceRules> = {
  setDefaults: setVolumeDefaults,
  updateChecks: ['metadata', 'object', 'metadata', 'object', 'change'],
  validate,
  validateUpdate: (next, oldObject) => validateVolumeChange(specOf(next), specOf(oldObject)),
  validateStatus: () => [],
  warnings: volumeWarnings,
  prepareCreate(volume) {
    volume.status = { phase: 'Pending', lastPhaseTransitionTime: volume.metadata.creationTimestamp };
  },
  prepareStatusUpdate: keepTransitionTime,
};

/** Sets the transition time to now when a client changes the phase without setting a new time. */
function keepTransitionTime(next: ResourceObject, oldObject: ResourceObject, clock = systemClock): void {
  const before = statusOf(oldObject);
  const after = statusOf(next);
  const requestedTime = after.lastPhaseTransitionTime;
  const changed = (after.phase ?? '') !== (before.phase ?? '');
  let time = requestedTime;
  if (!changed) time ??= before.lastPhaseTransitionTime;
  else if (requestedTime === undefined || requestedTime === before.lastPhaseTransitionTime) time = timestamp(clock);
  if (time !== requestedTime) next.status = { ...after, lastPhaseTransitionTime: time };
}
