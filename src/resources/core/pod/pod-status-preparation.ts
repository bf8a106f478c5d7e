import type { ResourceObject } from '../../../meta/object.ts';
import type { ContainerStatus } from '../container-status-types.ts';
import type { PodStatus } from '../pod-status-types.ts';

/** Restores the fields that a status update may omit or must not change. */
export function keepPodStatus(next: ResourceObject, oldObject: ResourceObject): void {
  const { ownerReferences, deletionTimestamp } = oldObject.metadata;
  next.metadata.deletionTimestamp = deletionTimestamp;
  if (ownerReferences === undefined) delete next.metadata.ownerReferences;
  else next.metadata.ownerReferences = ownerReferences;
  const status = { ...(next.status as PodStatus | undefined) };
  status.qosClass ??= (oldObject.status as PodStatus | undefined)?.qosClass;
  for (const list of ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const) {
    if (status[list] !== undefined) status[list] = status[list].map(withoutVolumeStatus);
  }
  next.status = status;
}

/** The digest of an image volume belongs to a feature that is off. */
function withoutVolumeStatus(container: ContainerStatus): ContainerStatus {
  const { volumeMounts } = container;
  if (!volumeMounts?.some(({ volumeStatus }) => volumeStatus !== undefined)) return container;
  return { ...container, volumeMounts: volumeMounts.map(({ volumeStatus: _status, ...mount }) => mount) };
}

/** Keeps `podIP` equal to the first of `podIPs`. Older clients read and write only `podIP`. */
export function syncPodIps(status: PodStatus): void {
  const { podIP, podIPs } = status;
  if (podIP) {
    if (podIPs?.[0]?.ip !== podIP) status.podIPs = [{ ip: podIP }];
  } else if (podIPs?.[0]?.ip) {
    status.podIP = podIPs[0].ip;
  }
}
