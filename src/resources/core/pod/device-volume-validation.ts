import { invalidValue, notSupportedValue, requiredValue } from '../../../meta/field-error.ts';
import { enumOf } from '../../../schema/enum-of.ts';
import { hostPathTypes } from '../persistent-volume/file-source-checks.ts';
import { invalidPartition, isByte, isInitiatorName } from '../persistent-volume/volume-source-checks.ts';
import { AzureDiskVolumeSource } from '../shared-volume-source-types.ts';
import type { ISCSIVolumeSource, Volume } from '../volume-types.ts';
import { checkDescendingPath, checkDnsLabel, checkNoBacksteps, checkPresent, type Errors } from './field-checks.ts';

// Volumes on block devices and network file systems.

type Source<Name extends keyof Volume> = NonNullable<Volume[Name]>;
export type SourceValidation<Name extends keyof Volume> = (source: Source<Name>, field: string, errors: Errors) => void;

const cachingModes = enumOf(AzureDiskVolumeSource, 'cachingMode');
const diskKinds = enumOf(AzureDiskVolumeSource, 'kind');
const managedDisk = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const blobDisk = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';
const notRegistry = 'must be a host:port pair or multiple pairs separated by commas';

/** Returns the validation of sources for which only required fields are checked. */
function required<Name extends keyof Volume>(...fields: string[]): SourceValidation<Name> {
  return (source, field, errors) => {
    const values = source as Record<string, unknown>;
    for (const name of fields) {
      const value = values[name];
      const present = Array.isArray(value) ? value.length > 0 : !!value;
      if (!present) errors.push(requiredValue(`${field}.${name}`));
    }
  };
}

export const validateGlusterfs = required<'glusterfs'>('endpoints', 'path');
export const validateClaim = required<'persistentVolumeClaim'>('claimName');
export const validateRbd = required<'rbd'>('monitors', 'image');
export const validateCephFs = required<'cephfs'>('monitors');
export const validateAzureFile = required<'azureFile'>('secretName', 'shareName');
export const validateVsphere = required<'vsphereVolume'>('volumePath');
export const validatePhoton = required<'photonPersistentDisk'>('pdID');
export const validatePortworx = required<'portworxVolume'>('volumeID');
export const validateScaleIo = required<'scaleIO'>('gateway', 'system', 'volumeName');

export const validateHostPath: SourceValidation<'hostPath'> = ({ path, type }, field, errors) => {
  if (!checkPresent(path, `${field}.path`, errors)) return;
  checkNoBacksteps(path, `${field}.path`, errors);
  if (type !== undefined && !hostPathTypes.includes(type)) {
    errors.push(notSupportedValue(`${field}.type`, type, hostPathTypes));
  }
};

export const validateGitRepo: SourceValidation<'gitRepo'> = ({ repository, directory }, field, errors) => {
  checkPresent(repository, `${field}.repository`, errors);
  if (directory) checkDescendingPath(directory, `${field}.directory`, errors);
};

export const validateGcePersistentDisk: SourceValidation<'gcePersistentDisk'> = (source, field, errors) => {
  checkPresent(source.pdName, `${field}.pdName`, errors);
  validatePartition(source.partition, `${field}.partition`, errors);
};

export const validateAwsBlockStore: SourceValidation<'awsElasticBlockStore'> = (source, field, errors) => {
  checkPresent(source.volumeID, `${field}.volumeID`, errors);
  validatePartition(source.partition, `${field}.partition`, errors);
};

function validatePartition(partition: number | undefined, field: string, errors: Errors): void {
  if (partition !== undefined && !isByte(partition)) errors.push(invalidPartition(field, partition));
}

export const validateNfs: SourceValidation<'nfs'> = ({ server, path = '' }, field, errors) => {
  checkPresent(server, `${field}.server`, errors);
  checkPresent(path, `${field}.path`, errors);
  if (!path.startsWith('/')) errors.push(invalidValue(`${field}.path`, path, 'must be an absolute path'));
};

export function validateIscsi(source: ISCSIVolumeSource, field: string, errors: Errors): void {
  checkPresent(source.targetPortal, `${field}.targetPortal`, errors);
  if (checkPresent(source.iqn, `${field}.iqn`, errors)) validateInitiator(source.iqn, `${field}.iqn`, errors);
  validateLun(source.lun ?? 0, `${field}.lun`, errors);
  if ((source.chapAuthDiscovery || source.chapAuthSession) && source.secretRef === undefined) {
    errors.push(requiredValue(`${field}.secretRef`));
  }
  if (source.initiatorName !== undefined) {
    validateInitiator(source.initiatorName, `${field}.initiatorname`, errors);
  }
}

function validateInitiator(name: string, field: string, errors: Errors): void {
  if (isInitiatorName(name)) return;
  const isKnown = /^(iqn|eui|naa)/.test(name);
  const detail = isKnown ? 'must be valid format' : 'must be valid format starting with iqn, eui, or naa';
  errors.push(invalidValue(field, name, detail));
}

function validateLun(lun: number, field: string, errors: Errors): void {
  if (!isByte(lun)) errors.push(invalidValue(field, lun, 'must be between 0 and 255, inclusive'));
}

export const validateFlocker: SourceValidation<'flocker'> = ({ datasetName, datasetUUID }, field, errors) => {
  if (!datasetName && !datasetUUID) {
    errors.push(requiredValue(field, 'one of datasetName and datasetUUID is required'));
  }
  if (datasetName && datasetUUID) {
    const detail = 'datasetName and datasetUUID can not be specified simultaneously';
    errors.push(invalidValue(field, 'resource', detail));
  }
  if (datasetName?.includes('/')) {
    errors.push(invalidValue(`${field}.datasetName`, datasetName, "must not contain '/'"));
  }
};

export const validateCinder: SourceValidation<'cinder'> = ({ volumeID, secretRef }, field, errors) => {
  checkPresent(volumeID, `${field}.volumeID`, errors);
  if (secretRef !== undefined) checkPresent(secretRef.name, `${field}.secretRef.name`, errors);
};

export const validateQuobyte: SourceValidation<'quobyte'> = ({ registry, volume, tenant = '' }, field, errors) => {
  if (!registry) errors.push(requiredValue(`${field}.registry`, notRegistry));
  else if (tenant.length >= 65) {
    errors.push(requiredValue(`${field}.tenant`, 'must be a UUID and may not exceed a length of 64 characters'));
  } else {
    for (const pair of registry.split(',')) {
      if (!isHostPort(pair)) errors.push(invalidValue(`${field}.registry`, registry, notRegistry));
    }
  }
  checkPresent(volume, `${field}.volume`, errors);
};

function isHostPort(text: string): boolean {
  return /^(?:\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(text);
}

export const validateFc: SourceValidation<'fc'> = ({ targetWWNs = [], wwids = [], lun }, field, errors) => {
  if (targetWWNs.length === 0 && wwids.length === 0) {
    const detail = 'must specify either targetWWNs or wwids, but not both';
    errors.push(requiredValue(`${field}.targetWWNs`, detail));
  }
  if (targetWWNs.length > 0 && wwids.length > 0) {
    const detail = 'targetWWNs and wwids can not be specified simultaneously';
    errors.push(invalidValue(`${field}.targetWWNs`, targetWWNs, detail));
  }
  if (targetWWNs.length === 0) return;
  if (lun === undefined) errors.push(requiredValue(`${field}.lun`, 'lun is required if targetWWNs is specified'));
  else validateLun(lun, `${field}.lun`, errors);
};

export const validateFlexVolume: SourceValidation<'flexVolume'> = ({ driver, options }, field, errors) => {
  checkPresent(driver, `${field}.driver`, errors);
  for (const key in options) {
    const namespace = `.${key.split('/', 1)[0]!.toLowerCase()}`;
    if (!namespace.endsWith('.kubernetes.io') && !namespace.endsWith('.k8s.io')) continue;
    const detail = 'kubernetes.io and k8s.io namespaces are reserved';
    errors.push(invalidValue(`${field}.options[${key}]`, key, detail));
  }
};

export const validateAzureDisk: SourceValidation<'azureDisk'> = (source, field, errors) => {
  const { diskName, diskURI = '', cachingMode, kind } = source;
  checkPresent(diskName, `${field}.diskName`, errors);
  checkPresent(diskURI, `${field}.diskURI`, errors);
  if (cachingMode !== undefined && !cachingModes.includes(cachingMode)) {
    errors.push(notSupportedValue(`${field}.cachingMode`, cachingMode, cachingModes));
  }
  if (kind === undefined) return;
  if (!diskKinds.includes(kind)) errors.push(notSupportedValue(`${field}.kind`, kind, diskKinds));
  const [start, shape] = kind === 'Managed' ? ['/subscriptions/', managedDisk] : ['https://', blobDisk];
  if (!diskURI.startsWith(start)) errors.push(notSupportedValue(`${field}.diskURI`, diskURI, [shape]));
};

export const validateStorageOs: SourceValidation<'storageos'> = (source, field, errors) => {
  const { volumeName, volumeNamespace, secretRef } = source;
  if (checkPresent(volumeName, `${field}.volumeName`, errors)) {
    checkDnsLabel(volumeName, `${field}.volumeName`, errors);
  }
  if (volumeNamespace) checkDnsLabel(volumeNamespace, `${field}.volumeNamespace`, errors);
  if (secretRef !== undefined) checkPresent(secretRef.name, `${field}.secretRef.name`, errors);
};
