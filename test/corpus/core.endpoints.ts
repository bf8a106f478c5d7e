import type { CorpusEntry } from './corpus-entry.ts';

export const corpus: CorpusEntry[] = [
  {
    path: '/api/v1/namespaces/corpus/endpoints',
    valid: [
      { name: 'minimal', object: { metadata: { name: 'none' } }, expected: {} },
      {
        name: 'rich',
        object: {
          metadata: { name: 'web' },
          subsets: [
            {
              notReadyAddresses: [{ ip: '192.0.2.9' }],
              addresses: [{ targetRef: { name: 'p', kind: 'Pod' }, nodeName: 'n1', hostname: 'h', ip: '2001:db8::7' }],
              ports: [
                { port: 80, name: 'http', appProtocol: 'http' },
                { port: 53, name: 'dns', protocol: 'UDP' },
              ],
            },
          ],
        },
        expected: {
          subsets: [
            {
              addresses: [{ ip: '2001:db8::7', hostname: 'h', nodeName: 'n1', targetRef: { kind: 'Pod', name: 'p' } }],
              notReadyAddresses: [{ ip: '192.0.2.9' }],
              ports: [
                { name: 'http', port: 80, protocol: 'TCP', appProtocol: 'http' },
                { name: 'dns', port: 53, protocol: 'UDP' },
              ],
            },
          ],
        },
      },
    ],
    invalid: [
      {
        name: 'nothing in a subset',
        object: { metadata: { name: 'x' }, subsets: [{ ports: [{ port: 1 }] }] },
        errors: ['subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`'],
      },
      {
        name: 'addresses',
        object: {
          metadata: { name: 'x' },
          subsets: [{ addresses: [{}], notReadyAddresses: [{ ip: '::1' }, { ip: '224.0.0.5' }] }],
        },
        errors: [
          'subsets[0].addresses[0].ip: Invalid value: "": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
          'subsets[0].addresses[0].ip: Invalid value: "": must be a valid IP address',
          'subsets[0].notReadyAddresses[0].ip: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
          'subsets[0].notReadyAddresses[1].ip: Invalid value: "224.0.0.5": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
        ],
      },
      {
        name: 'ports',
        object: {
          metadata: { name: 'x' },
          subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 1 }, { name: 'a', port: -1, protocol: 'x' }] }],
        },
        errors: [
          'subsets[0].ports[0].name: Required value',
          'subsets[0].ports[1].port: Invalid value: -1: must be between 1 and 65535, inclusive',
          'subsets[0].ports[1].protocol: Unsupported value: "x": supported values: "SCTP", "TCP", "UDP"',
        ],
      },
    ],
  },
];
