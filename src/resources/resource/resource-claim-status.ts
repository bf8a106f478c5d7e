import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { enumOf } from '../../schema/enum-of.ts';
import { validateDriverName } from '../core/persistent-volume/driver-name.ts';
import { internalValue } from '../validation/internal-value.ts';
import { validateNodeSelector } from '../validation/node-selectors.ts';
import { isSameOfType } from '../validation/same-of-type.ts';
import { validateBindingConditions } from './binding-conditions.ts';
import { validateLabelName, validatePoolName, validateUuid } from './device-names.ts';
import { maxConfigurations, validateConfiguration, validateTolerations } from './device-request-validation.ts';
import { deviceKey, validateDeviceStatus } from './device-status.ts';
import { validateEach, validateSet } from './list-checks.ts';
import {
  AllocationResult,
  DeviceAllocationConfiguration,
  type DeviceRequestAllocationResult,
  type ResourceClaimConsumerReference,
  type ResourceClaimSpec,
  type ResourceClaimStatus,
  SharedDeviceID,
} from './resource-claim-types.ts';
import {
  type RequestNames,
  requestNames,
  validateRequestReference,
  validateRequestReferences,
} from './resource-claim-validation.ts';

const maxConsumers = 256;
const maxResults = 32;
const configurationSources = enumOf(DeviceAllocationConfiguration, 'source');

export const claimStatusOf = ({ status }: ResourceObject): ResourceClaimStatus =>
  (status as ResourceClaimStatus | undefined) ?? {};

export function validateClaimStatus(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const { allocation, reservedFor = [], devices } = claimStatusOf(next);
  const before = claimStatusOf(oldObject);
  const allocated = new Set((allocation?.devices?.results ?? []).map(deviceKey));
  const errors = [
    ...validateSet(reservedFor, 'status.reservedFor', {
      maximum: maxConsumers,
      check: validateConsumer,
      key: ({ uid = '' }) => uid,
    }),
    ...validateSet(devices, 'status.devices', {
      maximum: Number.POSITIVE_INFINITY,
      check: (device, field) => validateDeviceStatus(device, field, allocated),
      key: deviceKey,
      shown: (device) => internalValue(SharedDeviceID, device),
    }),
    ...validateReservation(next, before),
  ];
  if (allocation === undefined) return errors;
  const names = requestNames((next.spec as ResourceClaimSpec | undefined)?.devices ?? {});
  if (before.allocation === undefined) errors.push(...validateAllocation(allocation, 'status.allocation', names));
  else if (!isSameOfType(AllocationResult, allocation, before.allocation)) {
    errors.push(invalidValue('status.allocation', internalValue(AllocationResult, allocation), 'field is immutable'));
  }
  return errors;
}

function validateConsumer({ resource, name, uid }: ResourceClaimConsumerReference, field: string): FieldError[] {
  return Object.entries({ resource, name, uid })
    .filter(([, value]) => !value)
    .map(([key]) => requiredValue(`${field}.${key}`));
}

function validateReservation(next: ResourceObject, before: ResourceClaimStatus): FieldError[] {
  const { allocation, reservedFor = [] } = claimStatusOf(next);
  if (reservedFor.length === 0) return [];
  if (allocation === undefined) {
    return [forbiddenValue('status.reservedFor', 'may not be specified when `allocated` is not set')];
  }
  if (next.metadata.deletionTimestamp === undefined) return [];
  const known = new Set((before.reservedFor ?? []).map((consumer) => JSON.stringify(consumer)));
  if (reservedFor.every((consumer) => known.has(JSON.stringify(consumer)))) return [];
  const detail = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';
  return [forbiddenValue('status.reservedFor', detail)];
}

function validateAllocation(
  { devices, nodeSelector }: AllocationResult,
  field: string,
  names: RequestNames,
): FieldError[] {
  const at = `${field}.devices`;
  return [
    ...validateEach(devices?.results, `${at}.results`, {
      maximum: maxResults,
      check: (result, path) => validateAllocatedDevice(result, path, names),
    }),
    ...validateEach(devices?.config, `${at}.config`, {
      // The configurations of the class and of the claim.
      maximum: 2 * maxConfigurations,
      check: (config, path) => [
        ...validateConfigurationSource(config.source ?? '', `${path}.source`),
        ...validateRequestReferences(config.requests, `${path}.requests`, names),
        ...validateConfiguration(config, path),
      ],
    }),
    ...(nodeSelector === undefined ? [] : validateNodeSelector(nodeSelector, `${field}.nodeSelector`)),
  ];
}

function validateAllocatedDevice(
  result: DeviceRequestAllocationResult,
  field: string,
  names: RequestNames,
): FieldError[] {
  const { request = '', driver = '', pool = '', device = '', tolerations, shareID } = result;
  return [
    ...validateRequestReference(request, `${field}.request`, names),
    ...validateDriverName(driver, `${field}.driver`),
    ...validatePoolName(pool, `${field}.pool`),
    ...validateLabelName(device, `${field}.device`),
    ...validateBindingConditions(result, field),
    ...validateTolerations(tolerations, `${field}.tolerations`),
    ...(shareID === undefined ? [] : validateUuid(shareID, `${field}.shareID`)),
  ];
}

function validateConfigurationSource(source: string, field: string): FieldError[] {
  if (source === '') return [requiredValue(field)];
  return configurationSources.includes(source) ? [] : [notSupportedValue(field, source, configurationSources)];
}
