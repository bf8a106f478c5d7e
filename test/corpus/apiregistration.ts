import type { CorpusEntry } from './corpus-entry.ts';

const priorities = { groupPriorityMinimum: 1000, versionPriority: 15 };
const local = { group: 'stats.example.com', version: 'v1', ...priorities };
const remote = { ...local, service: { namespace: 'stats', name: 'server' } };

export const corpus: CorpusEntry[] = [
  {
    path: '/apis/apiregistration.k8s.io/v1/apiservices',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'v1.stats.example.com' }, spec: remote },
        expected: { spec: { ...remote, service: { ...remote.service, port: 443 } }, status: {} },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'v1.stats.example.com', labels: { team: 'red' } },
          spec: { ...remote, service: { ...remote.service, port: 8443 }, caBundle: 'Y2VydGlmaWNhdGU=' },
        },
        expected: {
          spec: { ...remote, service: { ...remote.service, port: 8443 }, caBundle: 'Y2VydGlmaWNhdGU=' },
          status: {},
        },
      },
    ],
    invalid: [
      {
        name: 'another name than its group version',
        object: { metadata: { name: 'v2.stats.example.com' }, spec: local },
        errors: [
          'metadata.name: Invalid value: "v2.stats.example.com": must be `spec.version+"."+spec.group`: "v1.stats.example.com"',
        ],
      },
      {
        name: 'nothing that could be served',
        object: {
          metadata: { name: 'v2.' },
          spec: { version: 'v2', groupPriorityMinimum: 20001, versionPriority: -1 },
        },
        errors: [
          'spec.group: Required value: only v1 may have an empty group and it better be legacy kube',
          'spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000',
          'spec.versionPriority: Invalid value: -1: must be positive and less than 1000',
        ],
      },
      {
        name: 'certificates for a local one',
        object: {
          metadata: { name: 'v1.stats.example.com' },
          spec: { ...local, caBundle: 'Y2VydA==', insecureSkipTLSVerify: true },
        },
        errors: [
          'spec.caBundle: Invalid value: "4 bytes": local APIServices may not have a caBundle',
          'spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify',
        ],
      },
      {
        name: 'a service that is not reached',
        object: {
          metadata: { name: 'v1.stats.example.com' },
          spec: { ...local, service: { port: -1 }, insecureSkipTLSVerify: true, caBundle: 'Y2VydA==' },
        },
        errors: [
          'spec.service.namespace: Required value',
          'spec.service.name: Required value',
          'spec.service.port: Invalid value: -1: port is not valid: must be between 1 and 65535, inclusive',
          'spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present',
        ],
      },
    ],
  },
];
