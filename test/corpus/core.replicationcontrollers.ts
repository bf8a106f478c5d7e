import type { CorpusEntry } from './corpus-entry.ts';

const labels = { name: 'cache' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'redis', image: 'redis:7' }] } };
const completedTemplate = {
  metadata: { labels },
  spec: {
    containers: [
      {
        name: 'redis',
        image: 'redis:7',
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        imagePullPolicy: 'IfNotPresent',
      },
    ],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  },
};

export const corpus: CorpusEntry[] = [
  {
    path: '/api/v1/namespaces/corpus/replicationcontrollers',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'plain' }, spec: { template } },
        expected: {
          metadata: { name: 'plain', labels },
          spec: { replicas: 1, selector: labels, template: completedTemplate },
          status: { replicas: 0 },
        },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'rich', labels: { of: 'mine' } },
          spec: {
            template: { ...template, metadata: { labels: { ...labels, more: 'yes' } } },
            selector: labels,
            replicas: 0,
            minReadySeconds: 3,
          },
        },
        expected: {
          spec: {
            replicas: 0,
            minReadySeconds: 3,
            selector: labels,
            template: { ...completedTemplate, metadata: { labels: { more: 'yes', name: 'cache' } } },
          },
          status: { replicas: 0 },
        },
      },
    ],
    invalid: [
      {
        name: 'nothing said',
        object: { metadata: { name: 'nothing' } },
        errors: ['spec.selector: Required value', 'spec.template: Required value'],
      },
      {
        name: 'pods of somebody else, that run once',
        object: {
          metadata: { name: 'other' },
          spec: {
            replicas: -2,
            minReadySeconds: -1,
            selector: { name: 'db' },
            template: { ...template, spec: { ...template.spec, restartPolicy: 'Never', activeDeadlineSeconds: 1 } },
          },
        },
        errors: [
          'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
          'spec.replicas: Invalid value: -2: must be greater than or equal to 0',
          'spec.template.metadata.labels: Invalid value: {"name":"cache"}: `selector` does not match template `labels`',
          'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
          'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicationController is not Supported',
        ],
      },
      {
        name: 'pods without labels',
        object: { metadata: { name: 'no-labels' }, spec: { template: { spec: template.spec } } },
        errors: ['spec.selector: Required value'],
      },
    ],
  },
];
