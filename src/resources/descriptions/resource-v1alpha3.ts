import type { TypeTexts } from './type-texts.ts';

export const resourceV1alpha3: TypeTexts = {
  PoolStatus: {
    '': 'How many devices of a pool are in use.',
    driver: 'Driver of the pool.',
    poolName: 'Name of the pool.',
    generation: 'Newest generation of the pool.',
    resourceSliceCount: 'Number of slices of that generation.',
    totalDevices: 'Number of devices.',
    allocatedDevices: 'Number of devices that are allocated to claims.',
    availableDevices: 'Number of devices that can still be allocated.',
    unavailableDevices: 'Number of devices that are free but cannot be allocated, for instance because of taints.',
    nodeName: 'Node of the pool. Absent if it belongs to no single node.',
    validationError:
      'Why the pool could not be evaluated, for instance because slices are missing. The numbers are then absent.',
  },
  ResourcePoolStatusRequest: {
    '': 'Asks once how many devices of pools are in use. To ask again, delete and create it.',
    spec: 'The pools. It cannot be changed.',
    status: 'The answer. With it the request is done.',
  },
  ResourcePoolStatusRequestSpec: {
    '': 'The pools that are asked about.',
    driver: 'Driver of the pools.',
    poolName: 'Name of a pool. Absent: all pools of the driver.',
    limit: 'How many pools the answer may have, 1 to 1000. Default 100.',
  },
  ResourcePoolStatusRequestStatus: {
    '': 'What was found about the pools.',
    poolCount: 'Number of matching pools. Greater than the length of `pools` if the answer was cut.',
    pools: 'The pools, sorted by driver and name.',
    conditions: 'Whether the request is done: Complete or Failed.',
  },
};
