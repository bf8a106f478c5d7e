import type { DownwardAPIVolumeFile, ProjectedVolumeSource } from '../projected-volume-types.ts';
import { roundResources } from '../resource-list.ts';
import type { Volume } from '../volume-types.ts';
import { withApiVersion } from './container-defaults.ts';
import { isLatestImage } from './image-reference.ts';

/** rw-r--r-- */
const fileMode = 0o644;
const tokenSeconds = 3600;

export function setVolumeDefaults(volume: Volume): void {
  const { hostPath, secret, configMap, downwardAPI, projected, ephemeral, image } = volume;
  if (!hasSource(volume)) volume.emptyDir = {};
  if (hostPath !== undefined) hostPath.type ??= '';
  if (secret !== undefined) secret.defaultMode ??= fileMode;
  if (configMap !== undefined) configMap.defaultMode ??= fileMode;
  if (downwardAPI !== undefined) {
    downwardAPI.defaultMode ??= fileMode;
    setFileDefaults(downwardAPI.items);
  }
  if (projected !== undefined) setProjectedDefaults(projected);
  if (image !== undefined) image.pullPolicy ??= isLatestImage(image.reference ?? '') ? 'Always' : 'IfNotPresent';
  const claim = ephemeral?.volumeClaimTemplate?.spec;
  if (claim !== undefined) {
    claim.volumeMode ??= 'Filesystem';
    roundResources(claim.resources?.limits);
    roundResources(claim.resources?.requests);
  }
}

function hasSource(volume: Volume): boolean {
  for (const field in volume) {
    if (field !== 'name' && volume[field as keyof Volume] !== undefined) return true;
  }
  return false;
}

function setFileDefaults(files: readonly DownwardAPIVolumeFile[] | undefined): void {
  for (const file of files ?? []) {
    if (file.fieldRef !== undefined) file.fieldRef = withApiVersion(file.fieldRef);
  }
}

function setProjectedDefaults(projected: ProjectedVolumeSource): void {
  projected.defaultMode ??= fileMode;
  for (const { downwardAPI, serviceAccountToken } of projected.sources ?? []) {
    setFileDefaults(downwardAPI?.items);
    if (serviceAccountToken !== undefined) serviceAccountToken.expirationSeconds ??= tokenSeconds;
  }
}
