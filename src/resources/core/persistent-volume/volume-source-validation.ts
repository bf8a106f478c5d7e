import { type FieldError, forbiddenValue, invalidValue, requiredValue } from '../../../meta/field-error.ts';
import { dnsLabelErrors, dnsSubdomainErrors } from '../../../meta/names.ts';
import {
  checkAwsElasticBlockStore,
  checkAzureDisk,
  checkCinder,
  checkFc,
  checkGcePersistentDisk,
  checkIscsi,
  checkRbd,
} from './block-source-checks.ts';
import { validateDriverName } from './driver-name.ts';
import {
  checkAzureFile,
  checkCephfs,
  checkFlocker,
  checkGlusterfs,
  checkHostPath,
  checkLocal,
  checkNfs,
  checkQuobyte,
  checkStorageos,
} from './file-source-checks.ts';
import { requireText, type SourceCheck, textOf, type VolumeSource } from './volume-source-checks.ts';

interface SourceType {
  readonly name: string;
  readonly check: (check: SourceCheck) => void;
  /** The field name in errors, when it differs from `name`. */
  readonly path?: string;
  /** The field name in the error about a second source, when it differs from `name`. */
  readonly second?: string;
  /** The source is always validated and may follow another one. Further sources are still errors. */
  readonly joins?: boolean;
}

/** In validation order: the first source that is set is validated, every further one is an error. */
const sourceTypes: readonly SourceType[] = [
  { name: 'hostPath', check: checkHostPath },
  { name: 'gcePersistentDisk', check: checkGcePersistentDisk, path: 'persistentDisk' },
  { name: 'awsElasticBlockStore', check: checkAwsElasticBlockStore },
  { name: 'glusterfs', check: checkGlusterfs },
  { name: 'flocker', check: checkFlocker },
  { name: 'nfs', check: checkNfs },
  { name: 'rbd', check: checkRbd },
  { name: 'quobyte', check: checkQuobyte },
  { name: 'cephfs', check: checkCephfs, second: 'cephFS' },
  { name: 'iscsi', check: checkIscsi },
  { name: 'cinder', check: checkCinder },
  { name: 'fc', check: checkFc },
  { name: 'flexVolume', check: checkFlexVolume, joins: true },
  { name: 'azureFile', check: checkAzureFile },
  { name: 'vsphereVolume', check: (check) => requireText(check, 'volumePath') },
  { name: 'azureDisk', check: checkAzureDisk },
  { name: 'photonPersistentDisk', check: (check) => requireText(check, 'pdID') },
  { name: 'portworxVolume', check: (check) => requireText(check, 'volumeID') },
  { name: 'scaleIO', check: (check) => requireText(check, 'gateway', 'system', 'volumeName') },
  { name: 'local', check: checkLocal },
  { name: 'storageos', check: checkStorageos },
  { name: 'csi', check: checkCsi },
];

/** `spec` is the whole volume spec, in which the source is one of the fields. */
export function validateVolumeSource(spec: VolumeSource, field: string, volumeName: string): FieldError[] {
  const errors: FieldError[] = [];
  let found = false;
  for (const { name, check, path = name, second = name, joins = false } of sourceTypes) {
    const source = spec[name] as VolumeSource | undefined;
    if (source === undefined) continue;
    if (found && !joins) errors.push(forbiddenValue(`${field}.${second}`, 'may not specify more than 1 volume type'));
    else {
      check({ source, field: `${field}.${path}`, volumeName, errors });
      if (name === 'local' && spec.nodeAffinity === undefined) {
        errors.push(requiredValue(`${field}.nodeAffinity`, 'Local volume requires node affinity'));
      }
    }
    found = true;
  }
  if (!found) errors.push(requiredValue(field, 'must specify a volume type'));
  return errors;
}

const reserved = /(?:^|\.)(?:kubernetes|k8s)\.io$/i;

function checkFlexVolume(check: SourceCheck): void {
  const { source, field, errors } = check;
  requireText(check, 'driver');
  for (const key of Object.keys((source.options as object | undefined) ?? {})) {
    const slash = key.indexOf('/');
    if (!reserved.test(slash === -1 ? key : key.slice(0, slash))) continue;
    const detail = 'kubernetes.io and k8s.io namespaces are reserved';
    errors.push(invalidValue(`${field}.options[${key}]`, key, detail));
  }
}

function checkCsi(check: SourceCheck): void {
  const { source, field, errors } = check;
  errors.push(...validateDriverName(textOf(source, 'driver'), `${field}.driver`));
  requireText(check, 'volumeHandle');
  for (const name of [
    'controllerPublishSecretRef',
    'controllerExpandSecretRef',
    'nodePublishSecretRef',
    'nodeExpandSecretRef',
  ]) {
    const reference = source[name] as VolumeSource | undefined;
    if (reference !== undefined) errors.push(...validateSecretReference(reference, `${field}.${name}`));
  }
}

function validateSecretReference(reference: VolumeSource, field: string): FieldError[] {
  const name = textOf(reference, 'name');
  const namespace = textOf(reference, 'namespace');
  const problems = (details: readonly string[], at: string, value: string) =>
    value === '' ? [requiredValue(at)] : details.map((detail) => invalidValue(at, value, detail));
  return [
    ...problems(dnsSubdomainErrors(name), `${field}.name`, name),
    ...problems(dnsLabelErrors(namespace), `${field}.namespace`, namespace),
  ];
}
