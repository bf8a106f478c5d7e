import { resourceV1 } from './resource-v1.ts';
import type { TypeTexts } from './type-texts.ts';

const { name: _deviceName, '': _deviceText, ...deviceFields } = resourceV1.Device!;
const { '': _requestText, ...requestFields } = resourceV1.ExactDeviceRequest!;

/** In this version, devices have one more level than in v1, and requests one less. */
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
