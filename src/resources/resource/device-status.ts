import { type FieldError, invalidValue, tooLong, tooMany } from '../../meta/field-error.ts';
import { validateDriverName } from '../core/persistent-volume/driver-name.ts';
import { validateInterfaceAddress } from '../validation/addresses.ts';
import { validateConditions } from '../validation/condition-validation.ts';
import { validateLabelName, validatePoolName, validateUuid } from './device-names.ts';
import { validateJsonObject } from './device-request-validation.ts';
import { validateSet } from './list-checks.ts';
import type { AllocatedDeviceStatus } from './resource-claim-types.ts';

type DeviceReference = Pick<AllocatedDeviceStatus, 'driver' | 'pool' | 'device' | 'shareID'>;

const maxConditions = 8;
const maxAddresses = 16;
const maxInterfaceNameLength = 256;
const maxHardwareAddressLength = 128;

/** Identifies a device, and its share if it is allocated more than once. */
export function deviceKey({ driver = '', pool = '', device = '', shareID }: DeviceReference): string {
  return `${driver}/${pool}/${device}${shareID === undefined ? '' : `/${shareID}`}`;
}

export function validateDeviceStatus(
  status: AllocatedDeviceStatus,
  field: string,
  allocated: ReadonlySet<string>,
): FieldError[] {
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
  if (conditions.length > maxConditions) {
    errors.push(tooMany(`${field}.conditions`, conditions.length, maxConditions));
  }
  errors.push(...validateConditions(conditions, `${field}.conditions`));
  if (data !== undefined) errors.push(...validateJsonObject(data, `${field}.data`));
  if (networkData !== undefined) errors.push(...validateNetworkData(networkData, `${field}.networkData`));
  return errors;
}

function validateNetworkData(
  { interfaceName = '', ips, hardwareAddress = '' }: NonNullable<AllocatedDeviceStatus['networkData']>,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(interfaceName) > maxInterfaceNameLength) {
    errors.push(tooLong(`${field}.interfaceName`, maxInterfaceNameLength));
  }
  if (Buffer.byteLength(hardwareAddress) > maxHardwareAddressLength) {
    errors.push(tooLong(`${field}.hardwareAddress`, maxHardwareAddressLength));
  }
  errors.push(
    ...validateSet(ips, `${field}.ips`, {
      maximum: maxAddresses,
      check: validateInterfaceAddress,
      key: (address) => address,
    }),
  );
  return errors;
}
