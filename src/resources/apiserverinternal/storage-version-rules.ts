import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { labelKeyErrors } from '../../meta/label-syntax.ts';
import { dns1035LabelErrors, dnsSubdomainErrors, type NameCheck } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { keepStoredMetadata } from '../storage/keep-stored-metadata.ts';
import type { ServerStorageVersion, StorageVersionCondition, StorageVersionStatus } from './storage-version-types.ts';

const statusOf = ({ status }: ResourceObject): StorageVersionStatus =>
  (status as StorageVersionStatus | undefined) ?? {};

/** A name has the format `<group>.<resource>`. */
const nameErrors: NameCheck = (name) => {
  const dot = name.lastIndexOf('.');
  if (dot === -1) return ['name must be in the form of <group>.<resource>'];
  return [
    ...dnsSubdomainErrors(name.slice(0, dot)).map((detail) => `the group segment ${detail}`),
    ...dns1035LabelErrors(name.slice(dot + 1)).map((detail) => `the resource segment ${detail}`),
  ];
};

function validateStatus(object: ResourceObject): FieldError[] {
  const { storageVersions = [], commonEncodingVersion, conditions = [] } = statusOf(object);
  return [
    ...storageVersions.flatMap((server, index) => validateServer(server, `status.storageVersions[${index}]`)),
    ...validateCommonVersion(storageVersions, commonEncodingVersion),
    ...validateConditions(conditions),
  ];
}

function validateServer(server: ServerStorageVersion, field: string): FieldError[] {
  const { apiServerID = '', encodingVersion = '', decodableVersions = [] } = server;
  const errors = dnsSubdomainErrors(apiServerID).map((detail) =>
    invalidValue(`${field}.apiServerID`, apiServerID, detail),
  );
  const check = (version: string, at: string): void => {
    const details = apiVersionErrors(version);
    if (details.length > 0) errors.push(invalidValue(at, version, details.join(',')));
  };
  check(encodingVersion, `${field}.encodingVersion`);
  for (const [index, version] of decodableVersions.entries()) check(version, `${field}.decodableVersions[${index}]`);
  if (!decodableVersions.includes(encodingVersion)) {
    const detail = `decodableVersions must include encodingVersion ${encodingVersion}`;
    errors.push(invalidValue(`${field}.decodableVersions`, decodableVersions, detail));
  }
  return errors;
}

const notApiVersion =
  "an apiVersion is a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')";

function apiVersionErrors(apiVersion: string): string[] {
  const segments = apiVersion.split('/');
  if (segments.length > 2) return [notApiVersion];
  const version = segments.at(-1)!;
  const segmentErrors = (segment: string, name: string, check: NameCheck): string[] =>
    segment === '' ? [`${name} part: must be non-empty`] : check(segment).map((detail) => `${name} part: ${detail}`);
  return [
    ...(segments.length === 2 ? segmentErrors(segments[0]!, 'group', dnsSubdomainErrors) : []),
    ...segmentErrors(version, 'version', dns1035LabelErrors),
  ];
}

/** The common version is set only when all servers encode the same version. */
function validateCommonVersion(servers: readonly ServerStorageVersion[], sent: string | undefined): FieldError[] {
  const field = 'status.commonEncodingVersion';
  const first = servers[0]?.encodingVersion ?? '';
  const agree = servers.length > 0 && servers.every(({ encodingVersion = '' }) => encodingVersion === first);
  if (!agree) {
    const detail =
      'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet';
    return sent === undefined ? [] : [invalidValue(field, sent, detail)];
  }
  if (sent === undefined) return [invalidValue(field, null, `the common encoding version is ${first}`)];
  return sent === first ? [] : [invalidValue(field, sent, `the actual common encoding version is ${first}`)];
}

/** The field paths omit the name of the list, as in kube-apiserver. */
function validateConditions(conditions: readonly StorageVersionCondition[]): FieldError[] {
  const indexByType = new Map<string, number>();
  const errors: FieldError[] = [];
  for (const [index, { type = '', status = '', reason = '', message = '' }] of conditions.entries()) {
    const field = `status[${index}]`;
    const earlier = indexByType.get(type);
    if (earlier !== undefined) {
      const detail = `the type of the condition is not unique, it also appears in conditions[${earlier}]`;
      errors.push(invalidValue(`${field}.type`, type, detail));
    }
    indexByType.set(type, index);
    for (const detail of labelKeyErrors(type)) errors.push(invalidValue(`${field}.type`, type, detail));
    for (const detail of labelKeyErrors(status)) errors.push(invalidValue(`${field}.status`, type, detail));
    if (reason === '') errors.push(requiredValue(`${field}.reason`, 'reason cannot be empty'));
    if (message === '') errors.push(requiredValue(`${field}.message`, 'message cannot be empty'));
  }
  return errors;
}

export const storageVersionRules: Partial<ResourceRules> = {
  name: nameErrors,
  validate: validateStatus,
  // The spec has no fields.
  validateUpdate: () => [],
  validateStatus,
  prepareStatusUpdate: keepStoredMetadata,
};
