import type { CorpusEntry } from './corpus-entry.ts';

/** The services have no addresses, because these differ between servers. */
export const corpus: CorpusEntry[] = [
  {
    path: '/api/v1/namespaces/corpus/services',
    valid: [
      {
        name: 'minimal: a name for another name',
        object: { metadata: { name: 'elsewhere' }, spec: { type: 'ExternalName', externalName: 'db.example.com.' } },
        expected: {
          spec: { type: 'ExternalName', sessionAffinity: 'None', externalName: 'db.example.com.' },
          status: { loadBalancer: {} },
        },
      },
      {
        name: 'rich: headless',
        object: {
          metadata: { name: 'peers', labels: { app: 'db' } },
          spec: {
            clusterIP: 'None',
            selector: { app: 'db' },
            publishNotReadyAddresses: true,
            internalTrafficPolicy: 'Local',
            ports: [
              { name: 'sql', port: 5432, targetPort: 'postgres', appProtocol: 'example.com/sql' },
              { name: 'gossip', port: 7946, protocol: 'UDP', targetPort: 0 },
            ],
          },
        },
        expected: {
          spec: {
            ports: [
              { name: 'sql', protocol: 'TCP', appProtocol: 'example.com/sql', port: 5432, targetPort: 'postgres' },
              { name: 'gossip', protocol: 'UDP', port: 7946, targetPort: 7946 },
            ],
            selector: { app: 'db' },
            clusterIP: 'None',
            clusterIPs: ['None'],
            type: 'ClusterIP',
            sessionAffinity: 'None',
            publishNotReadyAddresses: true,
            ipFamilies: ['IPv4'],
            ipFamilyPolicy: 'SingleStack',
            internalTrafficPolicy: 'Local',
          },
          status: { loadBalancer: {} },
        },
      },
      {
        name: 'headless without a selector takes any family',
        object: { metadata: { name: 'manual' }, spec: { clusterIP: 'None', sessionAffinity: 'ClientIP' } },
        expected: {
          spec: {
            clusterIP: 'None',
            clusterIPs: ['None'],
            type: 'ClusterIP',
            sessionAffinity: 'ClientIP',
            sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } },
            ipFamilies: ['IPv4', 'IPv6'],
            ipFamilyPolicy: 'RequireDualStack',
            internalTrafficPolicy: 'Cluster',
          },
          status: { loadBalancer: {} },
        },
      },
    ],
    invalid: [
      {
        name: 'ports',
        object: {
          metadata: { name: 'ports' },
          spec: {
            clusterIP: 'None',
            ports: [
              { port: 0 },
              { name: 'a', port: 80, targetPort: '-x', protocol: 'ICMP' },
              { name: 'a', port: 70000 },
            ],
          },
        },
        errors: [
          'spec.ports[0].name: Required value',
          'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
          'spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
          'spec.ports[1].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
          'spec.ports[1].targetPort: Invalid value: "-x": must not begin or end with a hyphen',
          'spec.ports[2].name: Duplicate value: "a"',
          'spec.ports[2].port: Invalid value: 70000: must be between 1 and 65535, inclusive',
          'spec.ports[2].targetPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
        ],
      },
      {
        name: 'fields of load balancers on another type',
        object: {
          metadata: { name: 'fields' },
          spec: {
            clusterIP: 'None',
            selector: { a: 'b' },
            ports: [{ port: 80, nodePort: 30099 }],
            loadBalancerSourceRanges: ['10.0.0.0/8', '10.0.0.1/8'],
            loadBalancerClass: 'example.com/x',
            allocateLoadBalancerNodePorts: false,
            externalTrafficPolicy: 'Local',
            healthCheckNodePort: 30098,
            trafficDistribution: 'Anywhere',
          },
        },
        errors: [
          "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
          "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
          'spec.LoadBalancerSourceRanges[1]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
          "spec.allocateLoadBalancerNodePorts: Forbidden: may only be used when `type` is 'LoadBalancer'",
          "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'",
          'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
          "spec.healthCheckNodePort: Invalid value: 30098: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
          'spec.trafficDistribution: Unsupported value: "Anywhere": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
        ],
      },
      {
        name: 'addresses that do not fit each other',
        object: {
          metadata: { name: 'mixed' },
          spec: {
            ports: [{ port: 80 }],
            clusterIPs: ['None', '::ffff:10.0.0.1', '10.00.0.1'],
            ipFamilies: ['IPv4', 'IPv4'],
          },
        },
        errors: [
          'spec.clusterIPs: Invalid value: ["None","::ffff:10.0.0.1","10.00.0.1"]: must be empty when `clusterIP` is not specified',
          'spec.ipFamilies[1]: Duplicate value: "IPv4"',
          'spec.clusterIPs: Invalid value: ["None","::ffff:10.0.0.1","10.00.0.1"]: \'None\' must be the first and only value',
          'spec.clusterIPs[1]: Invalid value: "::ffff:10.0.0.1": must not be an IPv4-mapped IPv6 address',
          'spec.clusterIPs[2]: Invalid value: "10.00.0.1": must not have leading 0s',
          'spec.clusterIPs: Invalid value: ["None","::ffff:10.0.0.1","10.00.0.1"]: may only hold up to 2 values',
        ],
      },
      {
        name: 'a name for nothing',
        object: { metadata: { name: 'nothing' }, spec: { type: 'ExternalName', ipFamilies: ['IPv4'] } },
        errors: [
          'spec.ipFamilies: Forbidden: may not be set for ExternalName services',
          'spec.externalName: Required value',
        ],
      },
    ],
  },
];
