import type { ResourceObject } from '../../../meta/object.ts';
import { roundResources } from '../resource-list.ts';
import type { VolumeSpec, VolumeStatus } from './volume-shapes.ts';

export function setVolumeDefaults(volume: ResourceObject): void {
  volume.spec ??= {};
  const spec = volume.spec as VolumeSpec;
  spec.persistentVolumeReclaimPolicy ??= 'Retain';
  spec.volumeMode ??= 'Filesystem';
  setVolumeSpecDefaults(spec);
  volume.status ??= {};
  (volume.status as VolumeStatus).phase ??= 'Pending';
}

/** Also used for volume specs that are inline in other objects. */
export function setVolumeSpecDefaults(spec: VolumeSpec): void {
  if (spec.hostPath !== undefined) spec.hostPath.type ??= '';
  roundResources(spec.capacity);
}
