import type { TableColumns } from '../../meta/table-columns.ts';
import type { PersistentVolumeClaim } from '../core/persistent-volume-claim-types.ts';
import type { PersistentVolume } from '../core/persistent-volume-types.ts';
import { age } from './ages.ts';
import { persistentVolumeClaimDefinitions, persistentVolumeDefinitions } from './definitions/core.ts';

const shortModes: readonly (readonly [string, string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

export const persistentVolumeColumns: TableColumns = {
  definitions: persistentVolumeDefinitions,
  cells(object, now) {
    const { metadata, spec, status } = object as PersistentVolume;
    const claim = spec?.claimRef;
    return [
      metadata.name ?? '',
      spec?.capacity?.storage ?? '0',
      accessModesText(spec?.accessModes),
      spec?.persistentVolumeReclaimPolicy ?? '',
      phaseText(object),
      claim === undefined ? '' : `${claim.namespace ?? ''}/${claim.name ?? ''}`,
      storageClass(object),
      spec?.volumeAttributesClassName ?? '<unset>',
      status?.reason ?? '',
      age(object, now),
      spec?.volumeMode ?? '<unset>',
    ];
  },
};

export const persistentVolumeClaimColumns: TableColumns = {
  definitions: persistentVolumeClaimDefinitions,
  cells(object, now) {
    const { metadata, spec, status } = object as PersistentVolumeClaim;
    const isBound = Boolean(spec?.volumeName);
    return [
      metadata.name ?? '',
      phaseText(object),
      spec?.volumeName ?? '',
      isBound ? (status?.capacity?.storage ?? '0') : '',
      isBound ? accessModesText(status?.accessModes) : '',
      storageClass(object),
      spec?.volumeAttributesClassName ?? '<unset>',
      age(object, now),
      spec?.volumeMode ?? '<unset>',
    ];
  },
};

function phaseText({ metadata, status }: PersistentVolume | PersistentVolumeClaim): string {
  return metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? '');
}

/** The deprecated annotation takes precedence over the field. */
function storageClass({ metadata, spec }: PersistentVolume | PersistentVolumeClaim): string {
  return metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName ?? '';
}

/** Returns the short names of the modes in a fixed order. Unknown modes are omitted. */
function accessModesText(modes: readonly string[] | null | undefined): string {
  const modeSet = new Set(modes);
  return shortModes
    .filter(([mode]) => modeSet.has(mode))
    .map(([, short]) => short)
    .join(',');
}
