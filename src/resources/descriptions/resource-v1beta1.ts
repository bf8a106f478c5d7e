import { resourceV1 } from './resource-v1.ts';
import type { TypeTexts } from './type-texts.ts';

const { name: _deviceName, '': _deviceText, ...deviceFields } = resourceV1.Device!;
const { '': _requestText, ...requestFields } = resourceV1.ExactDeviceRequest!;

/** In this version devices and requests have one more or one less level than in v1. */
export const resourceV1beta1: TypeTexts = {
  BasicDevice: { '': 'Properties of a device.', ...deviceFields },
  Device: { basic: 'Properties of the device.' },
  DeviceRequest: {
    '':
      'A request for devices. Either `deviceClassName` or `firstAvailable` is set; the other fields belong to the ' +
      'former.',
    ...requestFields,
  },
};
