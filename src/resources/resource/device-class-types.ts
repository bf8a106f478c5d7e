import { field, listOf, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { TypeOf } from '../../schema/type-of.ts';
import { DeviceConfiguration, DeviceSelector } from './device-request-types.ts';

export const DeviceClass = struct('resource/v1.DeviceClass', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, DeviceClassSpec, { required: true, always: true }),
}));

export const DeviceClassSpec = struct('resource/v1.DeviceClassSpec', () => ({
  selectors: field(1, listOf(DeviceSelector), { list: 'atomic' }),
  config: field(2, listOf(DeviceClassConfiguration), { list: 'atomic' }),
  extendedResourceName: field(4, string, { pointer: true }),
}));

export type DeviceClassSpec = TypeOf<typeof DeviceClassSpec>;

export const DeviceClassConfiguration = struct('resource/v1.DeviceClassConfiguration', () => ({
  deviceConfiguration: field(1, DeviceConfiguration, { inline: true }),
}));
