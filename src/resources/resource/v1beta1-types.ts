import { bool, field, int64, listOf, namedString, string, struct } from '../../schema/builders.ts';
import type { StructSchema } from '../../schema/model.ts';
import { deriveVersion, withFields } from '../derive-version.ts';
import { CapacityRequirements, DeviceSelector, DeviceToleration } from './device-request-types.ts';
import { allocationModes, DeviceSubRequest } from './resource-claim-types.ts';

/**
 * Derives the types of `resource/v1beta1` from those of `resource/v1`. In v1beta1 a request holds the fields of
 * `exactly` directly, and a device holds all fields but its name in `basic`.
 */
export const v1beta1Type: (schema: StructSchema) => StructSchema = deriveVersion({
  from: 'resource/v1',
  to: 'resource/v1beta1',
  replaced: {
    DeviceRequest: () => DeviceRequest,
    DeviceSubRequest: (same) => withFields(same, { tolerations: { number: 7 }, capacity: { number: 8 } }),
    Device: deviceWith,
    ResourceSliceSpec: (same) => withFields(same, { nodeName: { pointer: false }, allNodes: { pointer: false } }),
  },
});

const DeviceRequest = struct('resource/v1beta1.DeviceRequest', () => ({
  name: field(1, string, { required: true, always: true }),
  deviceClassName: field(2, string, { always: true }),
  selectors: field(3, listOf(v1beta1Type(DeviceSelector)), { list: 'atomic' }),
  allocationMode: field(4, namedString('resource/v1beta1.DeviceAllocationMode'), {
    defaulted: true,
    enum: allocationModes,
  }),
  count: field(5, int64, { defaulted: true }),
  adminAccess: field(6, bool, { pointer: true }),
  firstAvailable: field(7, listOf(v1beta1Type(DeviceSubRequest)), { list: 'atomic' }),
  tolerations: field(8, listOf(v1beta1Type(DeviceToleration)), { list: 'atomic' }),
  capacity: field(9, v1beta1Type(CapacityRequirements), { pointer: true }),
}));

/** Moves the fields of a device after its name to the struct `BasicDevice`, where they are numbered from 1. */
function deviceWith(same: StructSchema): StructSchema {
  const basic = struct('resource/v1beta1.BasicDevice', () => {
    const [, ...fields] = same.fields;
    return Object.fromEntries(fields.map(({ name, number, ...rest }) => [name, { ...rest, number: number - 1 }]));
  });
  return struct('resource/v1beta1.Device', () => ({
    name: field(1, string, { required: true, always: true }),
    basic: field(2, basic, { pointer: true }),
  }));
}
