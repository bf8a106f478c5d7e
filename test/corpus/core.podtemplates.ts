import type { CorpusEntry } from './corpus-entry.ts';

const web = { name: 'web', image: 'registry.example/web:1.2' };
const filledContainer = {
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
};
const filledSpec = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
};

export const corpus: CorpusEntry[] = [
  {
    path: '/api/v1/namespaces/corpus/podtemplates',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'minimal' }, template: { spec: { containers: [web] } } },
        expected: {
          template: { metadata: {}, spec: { ...filledSpec, containers: [{ ...web, ...filledContainer }] } },
        },
      },
      {
        name: 'what pods alone have is not filled in',
        object: {
          metadata: { name: 'rich' },
          template: {
            metadata: { labels: { app: 'shop' } },
            spec: {
              hostNetwork: true,
              terminationGracePeriodSeconds: -3,
              containers: [{ ...web, ports: [{ containerPort: 80 }], resources: { limits: { cpu: '2' } } }],
              volumes: [{ name: 'secret', secret: { secretName: 'tls' } }],
            },
          },
        },
        expected: {
          template: {
            metadata: { labels: { app: 'shop' } },
            spec: {
              ...filledSpec,
              hostNetwork: true,
              terminationGracePeriodSeconds: -3,
              containers: [
                {
                  ...web,
                  ...filledContainer,
                  ports: [{ containerPort: 80, protocol: 'TCP' }],
                  resources: { limits: { cpu: '2' } },
                },
              ],
              volumes: [{ name: 'secret', secret: { secretName: 'tls', defaultMode: 420 } }],
            },
          },
        },
      },
    ],
    invalid: [
      {
        name: 'no template',
        object: { metadata: { name: 'none' } },
        errors: ['template.spec.containers: Required value'],
      },
      {
        name: 'a label and a name',
        object: {
          metadata: { name: 'label' },
          template: { metadata: { labels: { a: '-' } }, spec: { containers: [{ ...web, name: 'a.b' }] } },
        },
        errors: [
          `template.labels: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
          'template.spec.containers[0].name: Invalid value: "a.b": must not contain dots',
        ],
      },
      {
        name: 'ephemeral containers',
        object: {
          metadata: { name: 'ephemeral' },
          template: { spec: { containers: [web], ephemeralContainers: [{ name: 'debug', image: 'x' }] } },
        },
        errors: ['template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template'],
      },
    ],
  },
];
