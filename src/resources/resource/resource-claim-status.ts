import { isIP } from 'node:net';
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
  tooLong,
  tooMany,
} from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { validateDriverName } from '../core/persistent-volume/driver-name.ts';
import { internalForm, isSame } from '../core/persistent-volume/internal-form.ts';
import { type NodeSelector, validateNodeSelector } from '../validation/node-selectors.ts';
import { type BindingConditions, validateBindingConditions } from './binding-conditions.ts';
import { validateLabelName, validatePoolName, validateUuid } from './device-names.ts';
import {
  type DeviceConfiguration,
  type DeviceToleration,
  mostConfigurations,
  validateConfiguration,
  validateJsonObject,
  validateTolerations,
} from './device-request-validation.ts';
import { validateEach, validateSet } from './list-checks.ts';
import {
  type ClaimSpec,
  type RequestNames,
  requestNames,
  validateRequestReference,
  validateRequestReferences,
} from './resource-claim-validation.ts';
import { allocationForm } from './resource-forms.ts';
import { type StatusCondition, validateStatusConditions } from './status-conditions.ts';

export interface ClaimStatus {
  readonly allocation?: Allocation;
  readonly reservedFor?: readonly ConsumerReference[];
  readonly devices?: readonly DeviceStatus[];
}

interface Allocation {
  readonly devices?: {
    readonly results?: readonly AllocatedDevice[];
    readonly config?: readonly (DeviceConfiguration & {
      readonly source?: string;
      readonly requests?: readonly string[];
    })[];
  };
  readonly nodeSelector?: NodeSelector;
}

interface DeviceReference {
  readonly driver?: string;
  readonly pool?: string;
  readonly device?: string;
  readonly shareID?: string;
}

interface AllocatedDevice extends DeviceReference, BindingConditions {
  readonly request?: string;
  readonly tolerations?: readonly DeviceToleration[];
}

interface ConsumerReference {
  readonly resource?: string;
  readonly name?: string;
  readonly uid?: string;
}

interface DeviceStatus extends DeviceReference {
  readonly conditions?: readonly StatusCondition[] | null;
  readonly data?: unknown;
  readonly networkData?: {
    readonly interfaceName?: string;
    readonly ips?: readonly string[];
    readonly hardwareAddress?: string;
  };
}

const mostConsumers = 256;
const mostResults = 32;
const mostConditions = 8;
const mostAddresses = 16;
const longestInterfaceName = 256;
const longestHardwareAddress = 128;
const configurationSources = ['FromClaim', 'FromClass'];

export const claimStatusOf = ({ status }: ResourceObject): ClaimStatus => (status as ClaimStatus | undefined) ?? {};

export function validateClaimStatus(next: ResourceObject, stored: ResourceObject): FieldError[] {
  const { allocation, reservedFor = [], devices } = claimStatusOf(next);
  const before = claimStatusOf(stored);
  const allocated = new Set((allocation?.devices?.results ?? []).map(deviceKey));
  const errors = [
    ...validateSet(reservedFor, 'status.reservedFor', {
      maximum: mostConsumers,
      check: validateConsumer,
      key: ({ uid = '' }) => uid,
    }),
    ...validateSet(devices, 'status.devices', {
      maximum: Number.POSITIVE_INFINITY,
      check: (device, field) => validateDeviceStatus(device, field, allocated),
      key: deviceKey,
    }),
    ...validateReservation(next, before),
  ];
  if (allocation === undefined) return errors;
  const names = requestNames((next.spec as ClaimSpec | undefined)?.devices ?? {});
  if (before.allocation === undefined) errors.push(...validateAllocation(allocation, 'status.allocation', names));
  else if (!isSame(allocation, before.allocation)) {
    errors.push(invalidValue('status.allocation', internalForm(allocationForm, allocation), 'field is immutable'));
  }
  return errors;
}

function validateConsumer({ resource, name, uid }: ConsumerReference, field: string): FieldError[] {
  return Object.entries({ resource, name, uid })
    .filter(([, value]) => !value)
    .map(([key]) => requiredValue(`${field}.${key}`));
}

function validateReservation(next: ResourceObject, before: ClaimStatus): FieldError[] {
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

function validateAllocation({ devices, nodeSelector }: Allocation, field: string, names: RequestNames): FieldError[] {
  const at = `${field}.devices`;
  return [
    ...validateEach(devices?.results, `${at}.results`, {
      maximum: mostResults,
      check: (result, place) => validateAllocatedDevice(result, place, names),
    }),
    ...validateEach(devices?.config, `${at}.config`, {
      // Those of the class and those of the claim.
      maximum: 2 * mostConfigurations,
      check: (config, place) => [
        ...validateConfigurationSource(config.source ?? '', `${place}.source`),
        ...validateRequestReferences(config.requests, `${place}.requests`, names),
        ...validateConfiguration(config, place),
      ],
    }),
    ...(nodeSelector === undefined ? [] : validateNodeSelector(nodeSelector, `${field}.nodeSelector`)),
  ];
}

function validateAllocatedDevice(result: AllocatedDevice, field: string, names: RequestNames): FieldError[] {
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

/** A device by its place, and by the share where it has several. */
export function deviceKey({ driver = '', pool = '', device = '', shareID }: DeviceReference): string {
  return `${driver}/${pool}/${device}${shareID === undefined ? '' : `/${shareID}`}`;
}

function validateDeviceStatus(status: DeviceStatus, field: string, allocated: ReadonlySet<string>): FieldError[] {
  const { driver = '', pool = '', device = '', shareID, data, networkData } = status;
  const conditions = status.conditions ?? [];
  const errors = [
    ...validateDriverName(driver, `${field}.driver`),
    ...validatePoolName(pool, `${field}.pool`),
    ...validateLabelName(device, `${field}.device`),
    ...(shareID === undefined ? [] : validateUuid(shareID, `${field}.shareID`)),
  ];
  const key = deviceKey(status);
  if (!allocated.has(key)) errors.push(invalidValue(field, key, 'must be an allocated device in the claim'));
  if (conditions.length > mostConditions) {
    errors.push(tooMany(`${field}.conditions`, conditions.length, mostConditions));
  }
  errors.push(...validateStatusConditions(conditions, `${field}.conditions`));
  if (data !== undefined) errors.push(...validateJsonObject(data, `${field}.data`));
  if (networkData !== undefined) errors.push(...validateNetworkData(networkData, `${field}.networkData`));
  return errors;
}

function validateNetworkData(
  { interfaceName = '', ips, hardwareAddress = '' }: NonNullable<DeviceStatus['networkData']>,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(interfaceName) > longestInterfaceName) {
    errors.push(tooLong(`${field}.interfaceName`, longestInterfaceName));
  }
  if (Buffer.byteLength(hardwareAddress) > longestHardwareAddress) {
    errors.push(tooLong(`${field}.hardwareAddress`, longestHardwareAddress));
  }
  errors.push(
    ...validateSet(ips, `${field}.ips`, {
      maximum: mostAddresses,
      check: validateInterfaceAddress,
      key: (address) => address,
    }),
  );
  return errors;
}

function validateInterfaceAddress(address: string, field: string): FieldError[] {
  const [ip = '', prefix = '', ...more] = address.split('/');
  const family = isIP(ip);
  const longest = family === 4 ? 32 : 128;
  const valid = family !== 0 && more.length === 0 && /^(?:0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= longest;
  if (valid) return [];
  const detail = 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)';
  return [invalidValue(field, address, detail)];
}
