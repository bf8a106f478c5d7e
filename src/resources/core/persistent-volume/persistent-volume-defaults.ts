import type { ResourceObject } from '../../../meta/object.ts';
import { roundResources } from '../pod/resource-rounding.ts';
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

/** Of volumes that are described inside of other objects too. */
export function setVolumeSpecDefaults(spec: VolumeSpec): void {
  if (spec.hostPath !== undefined) spec.hostPath.type ??= '';
  roundResources(spec.capacity);
}
