import { invalidValue, notSupportedValue, requiredValue } from '../../../meta/field-error.ts';
import { enumOf } from '../../../schema/enum-of.ts';
import { AzureDiskVolumeSource } from '../shared-volume-source-types.ts';
import {
  checkByte,
  checkPartition,
  isInitiatorName,
  lengthOf,
  requireList,
  requireReference,
  requireText,
  type SourceCheck,
  textOf,
} from './volume-source-checks.ts';

// Block devices: cloud disks and storage networks.

export function checkGcePersistentDisk(check: SourceCheck): void {
  requireText(check, 'pdName');
  checkPartition(check);
}

export function checkAwsElasticBlockStore(check: SourceCheck): void {
  requireText(check, 'volumeID');
  checkPartition(check);
}

export function checkRbd(check: SourceCheck): void {
  requireList(check, 'monitors');
  requireText(check, 'image');
}

export function checkCinder(check: SourceCheck): void {
  requireText(check, 'volumeID');
  requireReference(check, 'secretRef', ['name', 'namespace']);
}

export function checkFc(check: SourceCheck): void {
  const { source, field, errors } = check;
  const names = lengthOf(source, 'targetWWNs');
  const ids = lengthOf(source, 'wwids');
  const namesField = `${field}.targetWWNs`;
  if (names === 0 && ids === 0) {
    errors.push(requiredValue(namesField, 'must specify either targetWWNs or wwids, but not both'));
  }
  if (names > 0 && ids > 0) {
    const detail = 'targetWWNs and wwids can not be specified simultaneously';
    errors.push(invalidValue(namesField, source.targetWWNs, detail));
  }
  if (names === 0) return;
  if (source.lun === undefined) {
    errors.push(requiredValue(`${field}.lun`, 'lun is required if targetWWNs is specified'));
  } else checkByte(check, 'lun');
}

const cachingModes = enumOf(AzureDiskVolumeSource, 'cachingMode');
const diskKinds = enumOf(AzureDiskVolumeSource, 'kind');
const managedDisk = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const blobDisk = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

export function checkAzureDisk(check: SourceCheck): void {
  const { source, field, errors } = check;
  requireText(check, 'diskName', 'diskURI');
  const { cachingMode, kind } = source as { cachingMode?: string; kind?: string };
  if (cachingMode !== undefined && !cachingModes.includes(cachingMode)) {
    errors.push(notSupportedValue(`${field}.cachingMode`, cachingMode, cachingModes));
  }
  if (kind === undefined) return;
  if (!diskKinds.includes(kind)) errors.push(notSupportedValue(`${field}.kind`, kind, diskKinds));
  const uri = textOf(source, 'diskURI');
  const managed = kind === 'Managed';
  if (!uri.startsWith(managed ? '/subscriptions/' : 'https://')) {
    errors.push(notSupportedValue(`${field}.diskURI`, uri, [managed ? managedDisk : blobDisk]));
  }
}

const maxSessionLength = 64;

export function checkIscsi(check: SourceCheck): void {
  const { source, field, volumeName, errors } = check;
  requireText(check, 'targetPortal');
  const portal = textOf(source, 'targetPortal');
  const initiator = source.initiatorName as string | undefined;
  if (initiator !== undefined && Buffer.byteLength(`${volumeName}:${portal}`) > maxSessionLength) {
    const detail =
      'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
    errors.push(invalidValue(`${field}.targetportal`, portal, detail));
  }
  requireText(check, 'iqn');
  const iqn = textOf(source, 'iqn');
  if (iqn !== '' && !isInitiatorName(iqn)) errors.push(invalidValue(`${field}.iqn`, iqn, 'must be valid format'));
  checkByte(check, 'lun');
  if ((source.chapAuthDiscovery || source.chapAuthSession) && source.secretRef === undefined) {
    errors.push(requiredValue(`${field}.secretRef`));
  }
  requireReference(check, 'secretRef', ['name']);
  if (initiator !== undefined && !isInitiatorName(initiator)) {
    errors.push(invalidValue(`${field}.initiatorname`, initiator, 'must be valid format'));
  }
}
