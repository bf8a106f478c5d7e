import type { ResourceObject } from '../../../meta/object.ts';
import type { PersistentVolumeSpec, PersistentVolumeStatus } from '../persistent-volume-types.ts';
import { roundResources } from '../resource-list.ts';

export function setVolumeDefaults(volume: ResourceObject): void {
  volume.spec ??= {};
  const spec = volume.spec as PersistentVolumeSpec;
  spec.persistentVolumeReclaimPolicy ??= 'Retain';
  spec.volumeMode ??= 'Filesystem';
  setVolumeSpecDefaults(spec);
  volume.status ??= {};
  (volume.status as PersistentVolumeStatus).phase ??= 'Pending';
}

/** Also used for volume specs that are inline in other objects. */
export function setVolumeSpecDefaults(spec: PersistentVolumeSpec): void {
  if (spec.hostPath !== undefined) spec.hostPath.type ??= '';
  roundResources(spec.capacity);
}
