import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../../meta/field-error.ts';
import { dnsSubdomainErrors } from '../../../meta/names.ts';
import { enumOf } from '../../../schema/enum-of.ts';
import { isNegativeQuantity } from '../../validation/quantities.ts';
import { validateTemplateMetadata } from '../../validation/template-metadata.ts';
import { validateDriverName } from '../persistent-volume/driver-name.ts';
import { validateClaimSpec } from '../persistent-volume/persistent-volume-claim-validation.ts';
import type { PersistentVolumeClaimTemplate } from '../persistent-volume-claim-types.ts';
import { ImageVolumeSource, type Volume } from '../volume-types.ts';
import * as device from './device-volume-validation.ts';
import { checkDnsLabel, checkPresent, checkSubdomain, type Errors } from './field-checks.ts';
import {
  validateConfigMapVolume,
  validateDownwardVolume,
  validateProjectedVolume,
  validateSecretVolume,
} from './file-volume-validation.ts';

/** Some rules differ between the spec of a pod and that of a pod template. */
export interface SpecOwner {
  /** False for a template, in which some required fields may be absent. */
  readonly isPod: boolean;
  /** Absent in a template. */
  readonly podName?: string;
}

/** Valid volumes by name. Invalid ones are omitted. */
export type UsableVolumes = ReadonlyMap<string, Volume>;

type Validation = (source: never, field: string, errors: Errors) => void;

const maxInitiatedNameLength = 64;
export const pullPolicies = enumOf(ImageVolumeSource, 'pullPolicy');

const validateEmptyDir: device.SourceValidation<'emptyDir'> = ({ sizeLimit }, field, errors) => {
  if (sizeLimit === undefined || !isNegativeQuantity(sizeLimit)) return;
  errors.push(forbiddenValue(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity'));
};

const validateCsi: device.SourceValidation<'csi'> = ({ driver, nodePublishSecretRef }, field, errors) => {
  errors.push(...validateDriverName(driver ?? '', `${field}.driver`));
  if (nodePublishSecretRef === undefined) return;
  const { name } = nodePublishSecretRef;
  const nameField = `${field}.nodePublishSecretRef.name`;
  if (checkPresent(name, nameField, errors)) checkSubdomain(name, nameField, errors);
};

/** Keyed by volume type, in validation order. */
const validations: ReadonlyMap<string, Validation> = new Map<keyof Volume, Validation>([
  ['emptyDir', validateEmptyDir],
  ['hostPath', device.validateHostPath],
  ['gitRepo', device.validateGitRepo],
  ['gcePersistentDisk', device.validateGcePersistentDisk],
  ['awsElasticBlockStore', device.validateAwsBlockStore],
  ['secret', validateSecretVolume],
  ['nfs', device.validateNfs],
  ['iscsi', device.validateIscsi],
  ['glusterfs', device.validateGlusterfs],
  ['flocker', device.validateFlocker],
  ['persistentVolumeClaim', device.validateClaim],
  ['rbd', device.validateRbd],
  ['cinder', device.validateCinder],
  ['cephfs', device.validateCephFs],
  ['quobyte', device.validateQuobyte],
  ['downwardAPI', validateDownwardVolume],
  ['fc', device.validateFc],
  ['flexVolume', device.validateFlexVolume],
  ['configMap', validateConfigMapVolume],
  ['azureFile', device.validateAzureFile],
  ['vsphereVolume', device.validateVsphere],
  ['photonPersistentDisk', device.validatePhoton],
  ['portworxVolume', device.validatePortworx],
  ['azureDisk', device.validateAzureDisk],
  ['storageos', device.validateStorageOs],
  ['projected', validateProjectedVolume],
  ['scaleIO', device.validateScaleIo],
  ['csi', validateCsi],
  [
    'ephemeral',
    ({ volumeClaimTemplate }: NonNullable<Volume['ephemeral']>, field, errors) => {
      validateClaimTemplate(volumeClaimTemplate, `${field}.volumeClaimTemplate`, errors);
    },
  ],
  ['image', () => {}],
]);
const validationOrder = [...validations.keys()];

/** kube-apiserver misspells these field names in the error about a second volume type. */
const misspelledNames: Readonly<Partial<Record<keyof Volume, string>>> = {
  downwardAPI: 'downwarAPI',
  cephfs: 'cephFS',
};

/** Errors in a source of this type name another field. */
const otherPaths: Readonly<Partial<Record<keyof Volume, string>>> = { gcePersistentDisk: 'persistentDisk' };

export function validateVolumes(
  volumes: readonly Volume[],
  field: string,
  { owner, errors }: { readonly owner: SpecOwner; readonly errors: Errors },
): UsableVolumes {
  const usable = new Map<string, Volume>();
  const ephemeralVolumes = owner.podName ? volumes.filter((volume) => volume.ephemeral !== undefined) : [];
  for (let index = 0; index < volumes.length; index++) {
    const volume = volumes[index]!;
    const path = `${field}[${index}]`;
    const found = errors.length;
    validateSources(volume, path, { owner, errors });
    const { name } = volume;
    if (checkPresent(name, `${path}.name`, errors)) {
      checkDnsLabel(name, `${path}.name`, errors);
      if (usable.has(name)) errors.push(duplicateValue(`${path}.name`, name));
    }
    if (errors.length === found) usable.set(name!, volume);
    const claimName = volume.persistentVolumeClaim?.claimName;
    if (
      claimName !== undefined &&
      ephemeralVolumes.some((other) => claimName === `${owner.podName}-${other.name ?? ''}`)
    ) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume';
      errors.push(invalidValue(`${path}.persistentVolumeClaim.claimName`, claimName, detail));
    }
  }
  return usable;
}

interface VolumeContext {
  readonly owner: SpecOwner;
  readonly errors: Errors;
}

function validateSources(volume: Volume, field: string, { owner, errors }: VolumeContext): void {
  const names = sourcesOf(volume);
  const name = names[0];
  if (name === undefined) {
    errors.push(requiredValue(field, 'must specify a volume type'));
    return;
  }
  validations.get(name)!(volume[name] as never, `${field}.${otherPaths[name] ?? name}`, errors);
  if (name === 'image') validateImage(volume.image!, `${field}.image`, { owner, errors });
  else if (name === 'ephemeral') validateClaimName(volume, field, { owner, errors });
  else if (name === 'iscsi') validateIscsiName(volume, field, errors);
  for (const other of names.slice(1)) {
    const surplus = `${field}.${misspelledNames[other] ?? other}`;
    errors.push(forbiddenValue(surplus, 'may not specify more than 1 volume type'));
  }
}

/** Returns the volume types that are set, in validation order. A valid volume has exactly one. */
function sourcesOf(volume: Volume): (keyof Volume)[] {
  const names: (keyof Volume)[] = [];
  for (const name in volume) {
    if (volume[name as keyof Volume] !== undefined && validations.has(name)) names.push(name as keyof Volume);
  }
  if (names.length > 1) names.sort((left, right) => validationOrder.indexOf(left) - validationOrder.indexOf(right));
  return names;
}

function validateImage(image: NonNullable<Volume['image']>, field: string, { owner, errors }: VolumeContext): void {
  // In a template the reference may be filled in later by the creator of the pods.
  if (owner.isPod) checkPresent(image.reference, `${field}.reference`, errors);
  validatePullPolicy(image.pullPolicy, `${field}.pullPolicy`, errors);
}

export function validatePullPolicy(policy: string | undefined, field: string, errors: Errors): void {
  if (!policy) errors.push(requiredValue(field));
  else if (!pullPolicies.includes(policy)) errors.push(notSupportedValue(field, policy, pullPolicies));
}

/** The controller derives the name of the claim from the names of pod and volume. It must be valid. */
function validateClaimName({ name }: Volume, field: string, { owner, errors }: VolumeContext): void {
  if (!owner.podName || !name) return;
  const claimName = `${owner.podName}-${name}`;
  for (const detail of dnsSubdomainErrors(claimName)) {
    errors.push(invalidValue(`${field}.name`, name, `PVC name "${claimName}": ${detail}`));
  }
}

function validateIscsiName({ name = '', iscsi }: Volume, field: string, errors: Errors): void {
  if (iscsi?.initiatorName === undefined) return;
  if (`${name}:${iscsi.targetPortal ?? ''}`.length <= maxInitiatedNameLength) return;
  const detail =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  errors.push(invalidValue(`${field}.name`, name, detail));
}

function validateClaimTemplate(
  template: PersistentVolumeClaimTemplate | undefined,
  field: string,
  errors: Errors,
): void {
  if (template === undefined) {
    errors.push(requiredValue(field));
    return;
  }
  errors.push(...validateTemplateMetadata(template.metadata, `${field}.metadata`));
  errors.push(...validateClaimSpec(template.spec ?? {}, `${field}.spec`));
}
