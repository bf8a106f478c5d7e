import { type FieldError, invalidValue, requiredValue, tooLong } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { validateDriverName } from '../core/persistent-volume/driver-name.ts';
import { keepStoredMetadata } from '../storage/keep-stored-metadata.ts';
import { validateConditions } from '../validation/condition-validation.ts';
import { validateImmutable } from '../validation/immutable.ts';
import { validateNonNegative } from '../validation/numbers.ts';
import { validatePoolName } from './device-names.ts';
import { validateNodeName } from './device-validation.ts';
import { validateEach } from './list-checks.ts';
import type {
  PoolStatus,
  ResourcePoolStatusRequestSpec,
  ResourcePoolStatusRequestStatus,
} from './pool-status-request-types.ts';

const maxLimit = 1000;
const maxErrorLength = 256;
const counts = ['totalDevices', 'allocatedDevices', 'availableDevices', 'unavailableDevices'] as const;

function validate({ spec }: ResourceObject): FieldError[] {
  const { driver = '', poolName, limit } = (spec as ResourcePoolStatusRequestSpec | undefined) ?? {};
  const errors = [
    ...validateDriverName(driver, 'spec.driver'),
    ...(poolName === undefined ? [] : validatePoolName(poolName, 'spec.poolName')),
  ];
  if (limit !== undefined && limit < 1) {
    errors.push(invalidValue('spec.limit', limit, 'must be greater than or equal to 1'));
  } else if (limit !== undefined && limit > maxLimit) {
    errors.push(invalidValue('spec.limit', limit, `must be less than or equal to ${maxLimit}`));
  }
  return errors;
}

/** The status can be set only once. */
function validateStatus(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  if (oldObject.status !== undefined)
    return validateImmutable({ next: next.status, oldValue: oldObject.status }, 'status');
  if (next.status === undefined) return [];
  const { poolCount, pools, conditions } = next.status as ResourcePoolStatusRequestStatus;
  return [
    ...(poolCount === undefined ? [requiredValue('status.poolCount')] : []),
    ...validateNonNegative(poolCount, 'status.poolCount'),
    ...validateEach(pools, 'status.pools', { maximum: maxLimit, check: validatePool }),
    ...validateConditions(conditions, 'status.conditions'),
  ];
}

function validatePool(pool: PoolStatus, field: string): FieldError[] {
  const { driver = '', poolName = '', generation, nodeName, resourceSliceCount, validationError = '' } = pool;
  const errors = [
    ...validateDriverName(driver, `${field}.driver`),
    ...validatePoolName(poolName, `${field}.poolName`),
    ...validateNonNegative(generation, `${field}.generation`),
    ...counts.flatMap((count) => validateNonNegative(pool[count], `${field}.${count}`)),
    ...(nodeName === undefined ? [] : validateNodeName(nodeName, `${field}.nodeName`)),
  ];
  if (resourceSliceCount !== undefined && resourceSliceCount < 1) {
    const detail = 'must be greater than or equal to 1';
    errors.push(invalidValue(`${field}.resourceSliceCount`, resourceSliceCount, detail));
  }
  if (Buffer.byteLength(validationError) > maxErrorLength) {
    errors.push(tooLong(`${field}.validationError`, maxErrorLength));
  }
  return errors;
}

export const poolStatusRequestRules: Partial<ResourceRules> = {
  validate,
  validateUpdate: (next, oldObject) => validateImmutable({ next: next.spec, oldValue: oldObject.spec }, 'spec'),
  validateStatus,
  prepareStatusUpdate: keepStoredMetadata,
};
