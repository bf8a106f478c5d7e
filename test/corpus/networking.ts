import type { CorpusEntry } from './corpus-entry.ts';

const backend = { service: { name: 'web', port: { number: 80 } } };
const notSubdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

export const corpus: CorpusEntry[] = [
  {
    path: '/apis/networking.k8s.io/v1/namespaces/corpus/ingresses',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'all' }, spec: { defaultBackend: backend } },
        expected: { spec: { defaultBackend: backend }, status: { loadBalancer: {} } },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'some' },
          spec: {
            tls: [{ hosts: ['*.example.com', 'a.example.com'], secretName: 'cert' }],
            rules: [
              {
                host: '*.example.com',
                http: {
                  paths: [
                    { backend, pathType: 'ImplementationSpecific' },
                    { path: '/a', pathType: 'Exact', backend: { resource: { kind: 'Bucket', name: 'b' } } },
                  ],
                },
              },
              { host: 'b.example.com' },
            ],
            ingressClassName: 'outer',
          },
        },
        expected: {
          spec: {
            ingressClassName: 'outer',
            tls: [{ hosts: ['*.example.com', 'a.example.com'], secretName: 'cert' }],
            rules: [
              {
                host: '*.example.com',
                http: {
                  paths: [
                    { pathType: 'ImplementationSpecific', backend },
                    {
                      path: '/a',
                      pathType: 'Exact',
                      backend: { resource: { apiGroup: null, kind: 'Bucket', name: 'b' } },
                    },
                  ],
                },
              },
              { host: 'b.example.com' },
            ],
          },
          status: { loadBalancer: {} },
        },
      },
    ],
    invalid: [
      {
        name: 'nothing',
        object: { metadata: { name: 'x' } },
        errors: ['spec: Invalid value: null: either `defaultBackend` or `rules` must be specified'],
      },
      {
        name: 'paths',
        object: {
          metadata: { name: 'x' },
          spec: {
            rules: [
              { host: '192.0.2.1', http: { paths: [] } },
              {
                http: {
                  paths: [
                    { path: '/a', backend },
                    { path: 'a//..', pathType: 'Prefix', backend: {} },
                    { path: '/', pathType: 'Exact', backend: { service: { name: '1', port: {} } } },
                  ],
                },
              },
            ],
          },
        },
        errors: [
          'spec.rules[0].host: Invalid value: "192.0.2.1": must be a DNS name, not an IP address',
          'spec.rules[0].http.paths: Required value',
          'spec.rules[1].http.paths[0].pathType: Required value: pathType must be specified',
          'spec.rules[1].http.paths[1].path: Invalid value: "a//..": must be an absolute path',
          'spec.rules[1].http.paths[1].path: Invalid value: "a//..": must not contain \'//\'',
          'spec.rules[1].http.paths[1].path: Invalid value: "a//..": cannot end with \'/..\'',
          'spec.rules[1].http.paths[1].backend: Invalid value: "": resource or service backend is required',
          'spec.rules[1].http.paths[2].backend: Required value: port name or number is required',
        ],
      },
      {
        name: 'class and TLS',
        object: {
          metadata: { name: 'x', annotations: { 'kubernetes.io/ingress.class': 'y' } },
          spec: { defaultBackend: backend, ingressClassName: 'X', tls: [{ secretName: '-' }] },
        },
        errors: [
          `spec.tls[0].secretName: Invalid value: "-": ${notSubdomain}`,
          `spec.ingressClassName: Invalid value: "X": ${notSubdomain}`,
          'annotations.kubernetes.io/ingress.class: Invalid value: "y": must match `ingressClassName` when both are specified',
        ],
      },
    ],
  },
  {
    path: '/apis/networking.k8s.io/v1/ingressclasses',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'plain' }, spec: { controller: 'example.com/c' } },
        expected: { spec: { controller: 'example.com/c' } },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'fine' },
          spec: { controller: 'example.com/c/d', parameters: { name: 'n', kind: 'K', apiGroup: 'example.com' } },
        },
        expected: {
          spec: {
            controller: 'example.com/c/d',
            parameters: { apiGroup: 'example.com', kind: 'K', name: 'n', scope: 'Cluster' },
          },
        },
      },
    ],
    invalid: [
      { name: 'nothing', object: { metadata: { name: 'x' } }, errors: ['spec.controller: Required value'] },
      {
        name: 'no domain',
        object: { metadata: { name: 'x' }, spec: { controller: '/c' } },
        errors: ['spec.controller: Invalid value: "/c": must be a domain-prefixed path (such as "acme.io/foo")'],
      },
      {
        name: 'parameters',
        object: {
          metadata: { name: 'x' },
          spec: { controller: 'example.com/a b', parameters: { kind: 'a/b', scope: 'Namespace' } },
        },
        errors: [
          "spec.controller: Invalid value: \"a b\": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')",
          'spec.parameters.kind: Invalid value: "a/b": may not contain \'/\'',
          'spec.parameters.name: Required value',
          "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
        ],
      },
    ],
  },
  {
    path: '/apis/networking.k8s.io/v1/namespaces/corpus/networkpolicies',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'closed' } },
        expected: { spec: { podSelector: {}, policyTypes: ['Ingress'] } },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'open' },
          spec: {
            podSelector: { matchLabels: { app: 'web' } },
            egress: [
              {
                to: [
                  { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
                  { podSelector: {}, namespaceSelector: {} },
                ],
                ports: [
                  { port: 'dns', protocol: 'UDP' },
                  { port: 8000, endPort: 8010 },
                ],
              },
            ],
          },
        },
        expected: {
          spec: {
            podSelector: { matchLabels: { app: 'web' } },
            egress: [
              {
                ports: [
                  { protocol: 'UDP', port: 'dns' },
                  { protocol: 'TCP', port: 8000, endPort: 8010 },
                ],
                to: [
                  { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
                  { podSelector: {}, namespaceSelector: {} },
                ],
              },
            ],
            policyTypes: ['Ingress', 'Egress'],
          },
        },
      },
    ],
    invalid: [
      {
        name: 'types',
        object: { metadata: { name: 'x' }, spec: { policyTypes: ['Ingress', 'Sideways'] } },
        errors: ['spec.policyTypes[1]: Unsupported value: "Sideways": supported values: "Ingress", "Egress"'],
      },
      {
        name: 'peers',
        object: {
          metadata: { name: 'x' },
          spec: {
            ingress: [
              {
                from: [{}, { podSelector: {}, ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.0/8', '11.0.0.0/9'] } }],
              },
            ],
          },
        },
        errors: [
          'spec.ingress[0].from[0]: Required value: must specify a peer',
          'spec.ingress[0].from[1].ipBlock.except[0]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`',
          'spec.ingress[0].from[1].ipBlock.except[1]: Invalid value: "11.0.0.0/9": must be a strict subset of `cidr`',
          'spec.ingress[0].from[1]: Forbidden: may not specify both ipBlock and another peer',
        ],
      },
      {
        name: 'ports',
        object: {
          metadata: { name: 'x' },
          spec: {
            egress: [{ ports: [{ endPort: 2 }, { port: 'a', endPort: 2 }, { port: 9, endPort: 2, protocol: 'x' }] }],
          },
        },
        errors: [
          'spec.egress[0].ports[0].endPort: Invalid value: 2: may not be specified when `port` is not specified',
          'spec.egress[0].ports[1].endPort: Invalid value: 2: may not be specified when `port` is non-numeric',
          'spec.egress[0].ports[2].protocol: Unsupported value: "x": supported values: "TCP", "UDP", "SCTP"',
          'spec.egress[0].ports[2].endPort: Invalid value: 9: must be greater than or equal to `port`',
        ],
      },
    ],
  },
  {
    path: '/apis/networking.k8s.io/v1/ipaddresses',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: '192.0.2.7' }, spec: { parentRef: { resource: 'gateways', name: 'g' } } },
        expected: { spec: { parentRef: { resource: 'gateways', name: 'g' } } },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: '2001:db8::7', labels: { a: 'b' } },
          spec: { parentRef: { name: 'g', namespace: 'corpus', resource: 'gateways', group: 'example.com' } },
        },
        expected: {
          spec: { parentRef: { group: 'example.com', resource: 'gateways', namespace: 'corpus', name: 'g' } },
        },
      },
    ],
    invalid: [
      {
        name: 'no parent',
        object: { metadata: { name: '192.0.2.8' } },
        errors: ['spec.parentRef: Required value'],
      },
      {
        name: 'another form of an address',
        object: { metadata: { name: '2001:DB8::8' }, spec: { parentRef: { resource: 'r', name: 'n' } } },
        errors: ['metadata.name: Invalid value: "2001:DB8::8": must be in canonical form ("2001:db8::8")'],
      },
      {
        name: 'half a parent',
        object: { metadata: { name: '192.0.2.8' }, spec: { parentRef: { namespace: 'a%b' } } },
        errors: [
          'spec.parentRef.resource: Required value',
          'spec.parentRef.name: Required value',
          'spec.parentRef.namespace: Invalid value: "a%b": may not contain \'%\'',
        ],
      },
    ],
  },
  {
    path: '/apis/networking.k8s.io/v1/servicecidrs',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'one' }, spec: { cidrs: ['10.240.0.0/24'] } },
        expected: { spec: { cidrs: ['10.240.0.0/24'] }, status: {} },
      },
      {
        name: 'rich',
        object: { metadata: { name: 'two' }, spec: { cidrs: ['fd00:9::/112', '10.241.0.0/24'] } },
        expected: { spec: { cidrs: ['fd00:9::/112', '10.241.0.0/24'] }, status: {} },
      },
    ],
    invalid: [
      {
        name: 'none',
        object: { metadata: { name: 'x' } },
        errors: ['spec.cidrs: Required value: at least one CIDR required'],
      },
      {
        name: 'two of a family',
        object: { metadata: { name: 'x' }, spec: { cidrs: ['10.240.0.0/24', '10.241.0.0/024'] } },
        errors: [
          'spec.cidrs[1]: Invalid value: "10.241.0.0/024": must not have leading 0s in IP or prefix length',
          'spec.cidrs: Invalid value: ["10.240.0.0/24","10.241.0.0/024"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
        ],
      },
      {
        name: 'three',
        object: { metadata: { name: 'x' }, spec: { cidrs: ['10.0.0.0/24', 'fd00::/112', 'x'] } },
        errors: ['spec.cidrs: Invalid value: {"CIDRs":["10.0.0.0/24","fd00::/112","x"]}: may only hold up to 2 values'],
      },
    ],
  },
];
