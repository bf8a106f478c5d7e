import { invalidValue, notSupportedValue, requiredValue } from '../../../meta/field-error.ts';
import { dnsLabelErrors } from '../../../meta/names.ts';
import { enumOf } from '../../../schema/enum-of.ts';
import { HostPathVolumeSource } from '../shared-volume-source-types.ts';
import {
  checkNoBacksteps,
  requireList,
  requireReference,
  requireText,
  type SourceCheck,
  textOf,
} from './volume-source-checks.ts';

// File systems: directories of a node and network file systems.

export const hostPathTypes = enumOf(HostPathVolumeSource, 'type');

export function checkHostPath(check: SourceCheck): void {
  const { source, field, errors } = check;
  if (textOf(source, 'path') === '') {
    errors.push(requiredValue(`${field}.path`));
    return;
  }
  checkNoBacksteps(check, 'path');
  const type = source.type as string | undefined;
  if (type !== undefined && !hostPathTypes.includes(type)) {
    errors.push(notSupportedValue(`${field}.type`, type, hostPathTypes));
  }
}

export function checkLocal(check: SourceCheck): void {
  requireText(check, 'path');
  checkNoBacksteps(check, 'path');
}

export function checkNfs(check: SourceCheck): void {
  const { source, field, errors } = check;
  requireText(check, 'server', 'path');
  const path = textOf(source, 'path');
  if (!path.startsWith('/')) errors.push(invalidValue(`${field}.path`, path, 'must be an absolute path'));
}

export function checkGlusterfs(check: SourceCheck): void {
  const { source, field, errors } = check;
  requireText(check, 'endpoints', 'path');
  const namespace = source.endpointsNamespace as string | undefined;
  if (namespace === undefined) return;
  const details =
    namespace === ''
      ? ['if the endpointnamespace is set, it must be a valid namespace name']
      : dnsLabelErrors(namespace);
  for (const detail of details) errors.push(invalidValue(`${field}.endpointsNamespace`, namespace, detail));
}

export function checkFlocker({ source, field, errors }: SourceCheck): void {
  const name = textOf(source, 'datasetName');
  const uuid = textOf(source, 'datasetUUID');
  if (name === '' && uuid === '') {
    errors.push(requiredValue(field, 'one of datasetName and datasetUUID is required'));
  }
  if (name !== '' && uuid !== '') {
    errors.push(invalidValue(field, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'));
  }
  if (name.includes('/')) errors.push(invalidValue(`${field}.datasetName`, name, "must not contain '/'"));
}

const maxTenantLength = 64;
const notPairs = 'must be a host:port pair or multiple pairs separated by commas';
const hostAndPort = /^(?:[^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/;

export function checkQuobyte(check: SourceCheck): void {
  const { source, field, errors } = check;
  const registry = textOf(source, 'registry');
  if (registry === '') errors.push(requiredValue(`${field}.registry`, notPairs));
  else if (Buffer.byteLength(textOf(source, 'tenant')) > maxTenantLength) {
    const detail = 'must be a UUID and may not exceed a length of 64 characters';
    errors.push(requiredValue(`${field}.tenant`, detail));
  } else {
    for (const pair of registry.split(',')) {
      if (!hostAndPort.test(pair)) errors.push(invalidValue(`${field}.registry`, registry, notPairs));
    }
  }
  requireText(check, 'volume');
}

export function checkCephfs(check: SourceCheck): void {
  requireList(check, 'monitors');
}

export function checkAzureFile(check: SourceCheck): void {
  requireText(check, 'secretName', 'shareName');
  if (check.source.secretNamespace === '') check.errors.push(requiredValue(`${check.field}.secretNamespace`));
}

export function checkStorageos(check: SourceCheck): void {
  const { source, field, errors } = check;
  const name = textOf(source, 'volumeName');
  if (name === '') errors.push(requiredValue(`${field}.volumeName`));
  else for (const detail of dnsLabelErrors(name)) errors.push(invalidValue(`${field}.volumeName`, name, detail));
  const namespace = textOf(source, 'volumeNamespace');
  if (namespace !== '') {
    for (const detail of dnsLabelErrors(namespace)) {
      errors.push(invalidValue(`${field}.volumeNamespace`, namespace, detail));
    }
  }
  requireReference(check, 'secretRef', ['name', 'namespace']);
}
