import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { keepStoredMetadata } from '../storage/keep-stored-metadata.ts';
import { type Condition, validateConditions } from '../validation/condition-validation.ts';
import { validateImmutable } from '../validation/immutable.ts';
import { validateNonNegative } from '../validation/numbers.ts';

interface MigratedResource {
  readonly group?: string;
  readonly resource?: string;
}

interface MigrationStatus {
  readonly conditions?: readonly Condition[];
  readonly resourceVersion?: string;
}

function resourceOf({ spec }: ResourceObject): MigratedResource {
  return (spec as { readonly resource?: MigratedResource } | undefined)?.resource ?? {};
}

const statusOf = ({ status }: ResourceObject): MigrationStatus => (status as MigrationStatus | undefined) ?? {};

function validate(object: ResourceObject): FieldError[] {
  return resourceOf(object).resource ? [] : [requiredValue('spec.resource.resource', 'resource is required')];
}

function validateUpdate(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const [after, before] = [resourceOf(next), resourceOf(oldObject)];
  return [
    ...validate(next),
    ...validateImmutable({ next: after.group ?? '', oldValue: before.group ?? '' }, 'group'),
    ...validateImmutable({ next: after.resource ?? '', oldValue: before.resource ?? '' }, 'resource'),
  ];
}

function validateStatus(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const { conditions, resourceVersion = '' } = statusOf(next);
  const before = statusOf(oldObject).resourceVersion ?? '';
  const errors = [...validateResourceVersion(resourceVersion), ...validateConditions(conditions, 'status.conditions')];
  if (before !== '' && before !== resourceVersion) {
    errors.push(invalidValue('status.resourceVersion', resourceVersion, 'cannot be updated'));
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

function validateResourceVersion(text: string): FieldError[] {
  const field = 'status.resourceVersion';
  if (text === '') return [];
  if (/^[+-]?\d+$/.test(text)) return validateNonNegative(BigInt(text.replace('+', '')), field);
  const detail = `failed to parse resource version ${goQuote(text)}: strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`;
  return [invalidValue(field, text, detail)];
}

export const storageVersionMigrationRules: Partial<ResourceRules> = {
  validate,
  validateUpdate,
  validateStatus,
  prepareStatusUpdate: keepStoredMetadata,
};
