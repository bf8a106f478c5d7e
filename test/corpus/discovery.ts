import type { CorpusEntry } from './corpus-entry.ts';

export const corpus: CorpusEntry[] = [
  {
    path: '/apis/discovery.k8s.io/v1/namespaces/corpus/endpointslices',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'none' }, addressType: 'IPv4' },
        expected: { addressType: 'IPv4', endpoints: null, ports: null },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'web', labels: { 'kubernetes.io/service-name': 'web' } },
          addressType: 'IPv6',
          ports: [{}, { name: 'http', port: 80, appProtocol: 'kubernetes.io/h2c' }],
          endpoints: [
            {
              addresses: ['2001:db8::1'],
              conditions: { serving: true, ready: false },
              deprecatedTopology: { 'topology.kubernetes.io/zone': 'z' },
              zone: 'z1',
              hints: { forZones: [{ name: 'z1' }], forNodes: [{ name: 'n1' }] },
            },
          ],
        },
        expected: {
          addressType: 'IPv6',
          endpoints: [
            {
              addresses: ['2001:db8::1'],
              conditions: { ready: false, serving: true },
              zone: 'z1',
              hints: { forZones: [{ name: 'z1' }], forNodes: [{ name: 'n1' }] },
            },
          ],
          ports: [
            { name: '', protocol: 'TCP' },
            { name: 'http', protocol: 'TCP', port: 80, appProtocol: 'kubernetes.io/h2c' },
          ],
        },
      },
    ],
    invalid: [
      { name: 'no type', object: { metadata: { name: 'x' } }, errors: ['addressType: Required value'] },
      {
        name: 'addresses of an IPv4 slice',
        object: {
          metadata: { name: 'x' },
          addressType: 'IPv4',
          endpoints: [{ addresses: [] }, { addresses: ['2001:db8::1', 'x', '10.0.0.01', '169.254.0.1'] }],
        },
        errors: [
          'endpoints[0].addresses: Required value: must contain at least 1 address',
          'endpoints[1].addresses: Invalid value: "2001:db8::1": must be an IPv4 address',
          'endpoints[1].addresses[1]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
          'endpoints[1].addresses[2]: Invalid value: "10.0.0.01": must not have leading 0s',
          'endpoints[1].addresses[3]: Invalid value: "169.254.0.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
        ],
      },
      {
        name: 'ports and hints',
        object: {
          metadata: { name: 'x' },
          addressType: 'IPv4',
          endpoints: [{ addresses: ['192.0.2.1'], hints: { forZones: [{ name: 'z' }, { name: 'z' }] } }],
          ports: [{ name: 'a' }, { name: 'a', protocol: '' }],
        },
        errors: [
          'ports[1].name: Duplicate value: "a"',
          'ports[1].protocol: Unsupported value: "": supported values: "SCTP", "TCP", "UDP"',
          'endpoints[0].hints.forZones[1].name: Duplicate value: "z"',
        ],
      },
    ],
  },
];
