import { field, int64, mapOf, namedString, quantity, rawExtension, string, struct } from '../../schema/builders.ts';
import type { TypeOf } from '../../schema/type-of.ts';

// Types with which claims and classes request devices.

export const DeviceSelector = struct('resource/v1.DeviceSelector', () => ({
  cel: field(1, CELDeviceSelector, { pointer: true }),
}));

export type DeviceSelector = TypeOf<typeof DeviceSelector>;

export const CELDeviceSelector = struct('resource/v1.CELDeviceSelector', () => ({
  expression: field(1, string, { required: true, always: true }),
}));

export const DeviceConfiguration = struct('resource/v1.DeviceConfiguration', () => ({
  opaque: field(1, OpaqueDeviceConfiguration, { pointer: true }),
}));

export type DeviceConfiguration = TypeOf<typeof DeviceConfiguration>;

export const OpaqueDeviceConfiguration = struct('resource/v1.OpaqueDeviceConfiguration', () => ({
  driver: field(1, string, { required: true, always: true }),
  parameters: field(2, rawExtension, { required: true, always: true }),
}));

export const DeviceToleration = struct('resource/v1.DeviceToleration', () => ({
  key: field(1, string),
  operator: field(2, namedString('resource/v1.DeviceTolerationOperator'), {
    default: 'Equal',
    enum: ['Equal', 'Exists'],
  }),
  value: field(3, string),
  effect: field(4, namedString('resource/v1.DeviceTaintEffect'), { enum: ['NoExecute', 'NoSchedule', 'None'] }),
  tolerationSeconds: field(5, int64, { pointer: true }),
}));

export type DeviceToleration = TypeOf<typeof DeviceToleration>;

export const CapacityRequirements = struct('resource/v1.CapacityRequirements', () => ({
  requests: field(1, mapOf(quantity)),
}));
