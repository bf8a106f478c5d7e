import { expect } from 'vitest';
import type { CorpusEntry } from './corpus-entry.ts';

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const reference =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

const slice = {
  driver: 'gpus.example.org',
  pool: { name: 'rack/7', generation: 0, resourceSliceCount: 2 },
  allNodes: true,
};

export const corpus: CorpusEntry[] = [
  {
    path: '/apis/resource.k8s.io/v1/deviceclasses',
    valid: [
      { name: 'minimal', object: { metadata: { name: 'any' }, spec: {} }, expected: { spec: {} } },
      {
        name: 'rich',
        object: {
          metadata: { name: 'gpus' },
          spec: {
            selectors: [{ cel: { expression: 'device.driver == "gpus.example.org"' } }],
            config: [{ opaque: { driver: 'GPUs.example.org', parameters: { mode: 'shared' } } }],
            extendedResourceName: 'example.org/gpu',
          },
        },
        expected: {
          spec: {
            selectors: [{ cel: { expression: 'device.driver == "gpus.example.org"' } }],
            config: [{ opaque: { driver: 'GPUs.example.org', parameters: { mode: 'shared' } } }],
            extendedResourceName: 'example.org/gpu',
          },
        },
      },
    ],
    invalid: [
      {
        name: 'a selector and a configuration of nothing',
        object: { metadata: { name: 'bad' }, spec: { selectors: [{}], config: [{}] } },
        errors: ['spec.selectors[0].cel: Required value', 'spec.config[0].opaque: Required value'],
      },
      {
        name: 'parameters that are no object',
        object: { metadata: { name: 'bad' }, spec: { config: [{ opaque: { driver: '', parameters: [1] } }] } },
        errors: [
          'spec.config[0].opaque.driver: Required value',
          'spec.config[0].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object',
        ],
      },
      {
        name: 'a resource that is not extended',
        object: { metadata: { name: 'bad' }, spec: { extendedResourceName: 'kubernetes.io/gpu' } },
        errors: [
          'spec.extendedResourceName: Invalid value: "kubernetes.io/gpu": must be a valid extended resource name',
        ],
      },
    ],
  },
  {
    path: '/apis/resource.k8s.io/v1/namespaces/corpus/resourceclaims',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'nothing' }, spec: {} },
        expected: { spec: { devices: { requests: null } }, status: {} },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'two' },
          spec: {
            devices: {
              requests: [
                { name: 'one', exactly: { deviceClassName: 'gpus', tolerations: [{ key: 'broken' }] } },
                { name: 'either', firstAvailable: [{ name: 'big', deviceClassName: 'gpus', allocationMode: 'All' }] },
              ],
              constraints: [{ requests: ['one', 'either/big'], distinctAttribute: 'example.org/slot' }],
            },
          },
        },
        expected: {
          spec: {
            devices: {
              requests: [
                {
                  name: 'one',
                  exactly: {
                    deviceClassName: 'gpus',
                    allocationMode: 'ExactCount',
                    count: 1,
                    tolerations: [{ key: 'broken', operator: 'Equal' }],
                  },
                },
                { name: 'either', firstAvailable: [{ name: 'big', deviceClassName: 'gpus', allocationMode: 'All' }] },
              ],
              constraints: [{ requests: ['one', 'either/big'], distinctAttribute: 'example.org/slot' }],
            },
          },
          status: {},
        },
      },
    ],
    invalid: [
      {
        name: 'requests that ask for nothing, or for too much at once',
        object: {
          metadata: { name: 'bad' },
          spec: { devices: { requests: [{ name: 'R' }, { name: 'a', exactly: { count: -4 } }] } },
        },
        errors: [
          `spec.devices.requests[0].name: Invalid value: "R": ${label}`,
          'spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required',
          'spec.devices.requests[1].exactly.deviceClassName: Required value',
          'spec.devices.requests[1].exactly.count: Invalid value: -4: must be greater than zero',
        ],
      },
      {
        name: 'references to nowhere',
        object: {
          metadata: { name: 'bad' },
          spec: {
            devices: {
              requests: [{ name: 'a', exactly: { deviceClassName: 'c' } }],
              constraints: [{ requests: ['a/b', 'x/y/z'], matchAttribute: 'slot' }],
            },
          },
        },
        errors: [
          `spec.devices.constraints[0].requests[0]: Invalid value: "a/b": ${reference}`,
          `spec.devices.constraints[0].requests[1]: Invalid value: "x/y/z": ${reference}`,
          'spec.devices.constraints[0].matchAttribute: Invalid value: "slot": a fully qualified name must be a domain and a name separated by a slash',
        ],
      },
      {
        name: 'a choice twice',
        object: {
          metadata: { name: 'bad' },
          spec: {
            devices: {
              requests: [
                {
                  name: 'a',
                  firstAvailable: [
                    { name: 'b', deviceClassName: 'C' },
                    { name: 'b', deviceClassName: 'c' },
                  ],
                },
              ],
            },
          },
        },
        errors: [
          `spec.devices.requests[0].firstAvailable[0].deviceClassName: Invalid value: "C": ${subdomain}`,
          'spec.devices.requests[0].firstAvailable[1]: Duplicate value: "b"',
        ],
      },
    ],
  },
  {
    path: '/apis/resource.k8s.io/v1/namespaces/corpus/resourceclaimtemplates',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'nothing' }, spec: {} },
        expected: { spec: { metadata: {}, spec: { devices: { requests: null } } } },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'one' },
          spec: {
            metadata: { annotations: { from: 'template' } },
            spec: { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'gpus', count: 2 } }] } },
          },
        },
        expected: {
          spec: {
            metadata: { annotations: { from: 'template' } },
            spec: {
              devices: {
                requests: [
                  { name: 'one', exactly: { deviceClassName: 'gpus', allocationMode: 'ExactCount', count: 2 } },
                ],
              },
            },
          },
        },
      },
    ],
    invalid: [
      {
        name: 'a request of nothing',
        object: { metadata: { name: 'bad' }, spec: { spec: { devices: { requests: [{ name: 'a' }] } } } },
        errors: [
          'spec.spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required',
        ],
      },
      {
        name: 'a mode that is none',
        object: {
          metadata: { name: 'bad' },
          spec: {
            spec: { devices: { requests: [{ name: 'a', exactly: { deviceClassName: 'c', allocationMode: 'Some' } }] } },
          },
        },
        errors: [
          'spec.spec.devices.requests[0].exactly.allocationMode: Unsupported value: "Some": supported values: "All", "ExactCount"',
        ],
      },
      {
        name: 'all devices, but only three',
        object: {
          metadata: { name: 'bad' },
          spec: {
            spec: {
              devices: {
                requests: [{ name: 'a', exactly: { deviceClassName: 'c', allocationMode: 'All', count: 3 } }],
              },
            },
          },
        },
        errors: [
          "spec.spec.devices.requests[0].exactly.count: Invalid value: 3: must not be specified when allocationMode is 'All'",
        ],
      },
    ],
  },
  {
    path: '/apis/resource.k8s.io/v1/resourceslices',
    valid: [
      { name: 'minimal', object: { metadata: { name: 'empty' }, spec: slice }, expected: { spec: slice } },
      {
        name: 'rich',
        object: {
          metadata: { name: 'full' },
          spec: {
            ...slice,
            devices: [
              {
                name: 'gpu-0',
                attributes: { model: { string: 'x' }, 'example.org/firmware': { version: '1.0.0-rc.1+7' } },
                capacity: {
                  memory: {
                    value: '8Gi',
                    requestPolicy: { default: '1Gi', validRange: { min: '1Gi', max: '4Gi', step: '1Gi' } },
                  },
                },
                allowMultipleAllocations: true,
                taints: [{ key: 'broken', effect: 'NoSchedule', timeAdded: '2030-01-02T03:04:05Z' }],
              },
            ],
          },
        },
        expected: {
          spec: {
            ...slice,
            devices: [
              {
                name: 'gpu-0',
                attributes: { model: { string: 'x' }, 'example.org/firmware': { version: '1.0.0-rc.1+7' } },
                capacity: {
                  memory: {
                    value: '8Gi',
                    requestPolicy: { default: '1Gi', validRange: { min: '1Gi', max: '4Gi', step: '1Gi' } },
                  },
                },
                allowMultipleAllocations: true,
                taints: [{ key: 'broken', effect: 'NoSchedule', timeAdded: '2030-01-02T03:04:05Z' }],
              },
            ],
          },
        },
      },
      {
        name: 'a taint of now',
        object: {
          metadata: { name: 'now' },
          spec: { ...slice, devices: [{ name: 'd', taints: [{ key: 'broken', effect: 'None' }] }] },
        },
        expected: {
          spec: {
            ...slice,
            devices: [{ name: 'd', taints: [{ key: 'broken', effect: 'None', timeAdded: expect.any(String) }] }],
          },
        },
      },
    ],
    invalid: [
      {
        name: 'nothing at all',
        object: { metadata: { name: 'bad' }, spec: {} },
        errors: [
          'spec.driver: Required value',
          'spec.pool.name: Required value',
          'spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero',
          'spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required',
        ],
      },
      {
        name: 'a device with properties that are none',
        object: {
          metadata: { name: 'bad' },
          spec: {
            ...slice,
            devices: [
              {
                name: 'd',
                attributes: { a: { version: '1.0' } },
                capacity: { memory: { value: '1Gi', requestPolicy: { default: '1Gi' } } },
                taints: [{ key: 'k', effect: 'Never' }],
                nodeName: 'n',
              },
            ],
          },
        },
        errors: [
          'spec.devices[0].attributes[a].version: Invalid value: "1.0": must be a string compatible with semver.org spec 2.0.0',
          'spec.devices[0].capacity[memory].requestPolicy: Forbidden: allowMultipleAllocations must be true',
          'spec.devices[0].taints[0].effect: Unsupported value: "Never": supported values: "NoExecute", "NoSchedule", "None"',
          'spec.devices[0]: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
        ],
      },
      {
        name: 'counters without amounts',
        object: { metadata: { name: 'bad' }, spec: { ...slice, sharedCounters: [{ name: 's' }, { name: 's' }] } },
        errors: [
          'spec.sharedCounters[0].counters: Required value',
          'spec.sharedCounters[1].counters: Required value',
          'spec.sharedCounters[1]: Duplicate value: "s"',
        ],
      },
    ],
  },
];
