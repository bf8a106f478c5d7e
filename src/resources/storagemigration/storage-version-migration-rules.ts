import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { dns1035LabelErrors, dnsSubdomainErrors, type NameCheck } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import type { GroupVersionResource } from '../../schema/meta-types.ts';
import { keepStoredMetadata } from '../storage/keep-stored-metadata.ts';
import { validateConditions } from '../validation/condition-validation.ts';
import { validateImmutable } from '../validation/immutable.ts';
import type { StorageVersionMigrationStatus } from './storage-version-migration-types.ts';

function resourceOf({ spec }: ResourceObject): GroupVersionResource {
  return (spec as { readonly resource?: GroupVersionResource } | undefined)?.resource ?? {};
}

const statusOf = ({ status }: ResourceObject): StorageVersionMigrationStatus =>
  (status as StorageVersionMigrationStatus | undefined) ?? {};

function validate(object: ResourceObject): FieldError[] {
  const { resource = '', group = '' } = resourceOf(object);
  const errors: FieldError[] = [];
  if (resource === '') errors.push(requiredValue('spec.resource.resource', 'resource is required to be set'));
  else errors.push(...validateText(resource, 'spec.resource.resource', dns1035LabelErrors));
  if (group !== '') errors.push(...validateText(group, 'spec.resource.group', dnsSubdomainErrors));
  return errors;
}

/** All details are in one error. */
function validateText(text: string, field: string, check: NameCheck): FieldError[] {
  const details = check(text);
  return details.length === 0 ? [] : [invalidValue(field, text, details.join(','))];
}

function validateUpdate(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const shown = ({ group = '', resource = '' }: GroupVersionResource) => ({ Resource: { group, resource } });
  const specs = { next: shown(resourceOf(next)), oldValue: shown(resourceOf(oldObject)) };
  return [...validate(next), ...validateImmutable(specs, 'spec')];
}

function validateStatus(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const { conditions, resourceVersion = '' } = statusOf(next);
  const before = statusOf(oldObject).resourceVersion ?? '';
  const errors = [...validateResourceVersion(resourceVersion), ...validateConditions(conditions, 'status.conditions')];
  if (before !== '' && before !== resourceVersion) {
    errors.push(invalidValue('status.resourceVersion', resourceVersion, 'field is immutable'));
  }
  const is = (object: ResourceObject, wanted: string): boolean =>
    statusOf(object).conditions?.find(({ type }) => type === wanted)?.status === 'True';
  const problem = (detail: string): void => {
    errors.push(invalidValue('status.conditions', conditions ?? null, detail));
  };
  const [succeeded, failed] = [is(next, 'Succeeded'), is(next, 'Failed')];
  if (succeeded && failed) problem('Both success and failed conditions cannot be true at the same time');
  if (is(next, 'Running')) {
    if (succeeded) problem('Running condition cannot be true when success condition is true');
    if (failed) problem('Running condition cannot be true when failed condition is true');
  }
  if (is(oldObject, 'Succeeded') && !succeeded) problem('Success condition cannot be set to false once it is true');
  if (is(oldObject, 'Failed') && !failed) problem('Failed condition cannot be set to false once it is true');
  return errors;
}

/** A version is a positive number of any size, without leading zeros. An empty one is refused, too. */
function validateResourceVersion(text: string): FieldError[] {
  if (/^[1-9]\d*$/.test(text)) return [];
  return [invalidValue('status.resourceVersion', text, `resource version is not well formed: ${text}`)];
}

export const storageVersionMigrationRules: Partial<ResourceRules> = {
  validate,
  validateUpdate,
  validateStatus,
  prepareStatusUpdate: keepStoredMetadata,
};
