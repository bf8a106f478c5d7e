import type { CorpusEntry } from './corpus-entry.ts';

const labels = { app: 'shop', tier: 'front' };
const selector = { matchLabels: { app: 'shop' } };
const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'registry.example/web:2.1' }] } };

const completedTemplate = {
  metadata: { labels },
  spec: {
    containers: [
      {
        name: 'web',
        image: 'registry.example/web:2.1',
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

const notPercent =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
const notLabel =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const notLabelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const mismatch = (shown: string) =>
  `spec.template.metadata.labels: Invalid value: ${shown}: \`selector\` does not match template \`labels\``;
const shownLabels = '{"app":"shop","tier":"front"}';

const deployments: CorpusEntry = {
  path: '/apis/apps/v1/namespaces/corpus/deployments',
  valid: [
    {
      name: 'minimal',
      object: { metadata: { name: 'plain' }, spec: { selector, template } },
      expected: {
        spec: {
          replicas: 1,
          selector,
          template: completedTemplate,
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
          revisionHistoryLimit: 10,
          progressDeadlineSeconds: 600,
        },
        status: {},
      },
    },
    {
      name: 'rich',
      object: {
        metadata: {
          name: 'rich',
          labels: { team: 'a' },
          annotations: { 'deprecated.deployment.rollback.to': '3', note: 'x' },
        },
        spec: {
          replicas: 0,
          paused: true,
          minReadySeconds: 9,
          progressDeadlineSeconds: 10,
          revisionHistoryLimit: 0,
          selector: {
            matchLabels: { app: 'shop' },
            matchExpressions: [
              { key: 'tier', operator: 'In', values: ['front', 'back'] },
              { key: 'old', operator: 'DoesNotExist' },
            ],
          },
          strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '100%' } },
          template,
        },
        status: { replicas: 7 },
      },
      expected: {
        spec: {
          replicas: 0,
          selector: {
            matchLabels: { app: 'shop' },
            matchExpressions: [
              { key: 'tier', operator: 'In', values: ['front', 'back'] },
              { key: 'old', operator: 'DoesNotExist' },
            ],
          },
          template: completedTemplate,
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%', maxSurge: 0 } },
          minReadySeconds: 9,
          revisionHistoryLimit: 0,
          paused: true,
          progressDeadlineSeconds: 10,
        },
        status: {},
      },
    },
    {
      name: 'recreated',
      object: { metadata: { name: 'recreated' }, spec: { selector, template, strategy: { type: 'Recreate' } } },
      expected: {
        spec: {
          replicas: 1,
          selector,
          template: completedTemplate,
          strategy: { type: 'Recreate' },
          revisionHistoryLimit: 10,
          progressDeadlineSeconds: 600,
        },
        status: {},
      },
    },
  ],
  invalid: [
    {
      name: 'all numbers wrong at once',
      object: {
        metadata: {
          name: 'numbers',
          annotations: { 'deprecated.deployment.rollback.to': '-2' },
        },
        spec: {
          replicas: -3,
          selector,
          template,
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '7', maxSurge: 'many' } },
          minReadySeconds: -1,
          revisionHistoryLimit: -4,
          progressDeadlineSeconds: -1,
        },
      },
      errors: [
        'spec.replicas: Invalid value: -3: must be greater than or equal to 0',
        `spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "7": ${notPercent}`,
        `spec.strategy.rollingUpdate.maxSurge: Invalid value: "many": ${notPercent}`,
        'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.revisionHistoryLimit: Invalid value: -4: must be greater than or equal to 0',
        'spec.rollback.version: Invalid value: -2: must be greater than or equal to 0',
        'spec.progressDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.progressDeadlineSeconds: Invalid value: -1: must be greater than minReadySeconds',
      ],
    },
    {
      name: 'no selector, jobs as pods, an unknown strategy',
      object: {
        metadata: { name: 'no-selector' },
        spec: {
          template: { ...template, spec: { ...template.spec, restartPolicy: 'OnFailure', activeDeadlineSeconds: 5 } },
          strategy: { type: 'Slow', rollingUpdate: { maxSurge: 2 } },
        },
      },
      errors: [
        'spec.selector: Required value',
        mismatch(shownLabels),
        'spec.template.spec.restartPolicy: Unsupported value: "OnFailure": supported values: "Always"',
        'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
        'spec.strategy: Unsupported value: {"Type":"Slow","RollingUpdate":{"MaxUnavailable":0,"MaxSurge":2}}: supported values: "Recreate", "RollingUpdate"',
      ],
    },
    {
      name: 'an unusable selector hides the template',
      object: {
        metadata: { name: 'unusable' },
        spec: {
          selector: {
            matchLabels: { app: '_' },
            matchExpressions: [
              { key: 'a', operator: 'Exists', values: ['b'] },
              { key: 'c', operator: 'In', values: ['-'] },
            ],
          },
          template: { spec: {} },
        },
      },
      errors: [
        `spec.selector.matchLabels: Invalid value: "_": ${notLabelValue}`,
        "spec.selector.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        `spec.selector.matchExpressions[1].values[0]: Invalid value: "-": ${notLabelValue}`,
        'spec.selector: Invalid value: {"matchLabels":{"app":"_"},"matchExpressions":[{"key":"a","operator":"Exists","values":["b"]},{"key":"c","operator":"In","values":["-"]}]}: invalid label selector',
      ],
    },
    {
      name: 'options of another strategy',
      object: {
        metadata: { name: 'mixed' },
        spec: { selector, template, strategy: { type: 'Recreate', rollingUpdate: {} } },
      },
      errors: ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
    },
  ],
};

const replicaSets: CorpusEntry = {
  path: '/apis/apps/v1/namespaces/corpus/replicasets',
  valid: [
    {
      name: 'minimal',
      object: { metadata: { name: 'plain' }, spec: { selector, template } },
      expected: { spec: { replicas: 1, selector, template: completedTemplate }, status: { replicas: 0 } },
    },
    {
      name: 'rich',
      object: {
        metadata: { name: 'rich' },
        spec: {
          template,
          minReadySeconds: 2,
          replicas: 5,
          selector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] },
        },
      },
      expected: {
        spec: {
          replicas: 5,
          minReadySeconds: 2,
          selector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] },
          template: completedTemplate,
        },
        status: { replicas: 0 },
      },
    },
  ],
  invalid: [
    {
      name: 'negative numbers and an empty selector',
      object: { metadata: { name: 'numbers' }, spec: { replicas: -1, minReadySeconds: -2, selector: {}, template } },
      errors: [
        'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
        'spec.minReadySeconds: Invalid value: -2: must be greater than or equal to 0',
        'spec.selector: Invalid value: {}: empty selector is invalid for deployment',
      ],
    },
    {
      name: 'pods of somebody else',
      object: { metadata: { name: 'other' }, spec: { selector: { matchLabels: { app: 'bank' } }, template } },
      errors: [mismatch(shownLabels)],
    },
    {
      name: 'pods that run once',
      object: {
        metadata: { name: 'once' },
        spec: { selector, template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } },
      },
      errors: ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
    },
  ],
};

const daemonSets: CorpusEntry = {
  path: '/apis/apps/v1/namespaces/corpus/daemonsets',
  valid: [
    {
      name: 'minimal',
      object: { metadata: { name: 'plain' }, spec: { selector, template } },
      expected: {
        metadata: { name: 'plain', annotations: { 'deprecated.daemonset.template.generation': '1' } },
        spec: {
          selector,
          template: completedTemplate,
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
          revisionHistoryLimit: 10,
        },
        status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
      },
    },
    {
      name: 'rich',
      object: {
        metadata: {
          name: 'rich',
          annotations: { zone: 'x', 'deprecated.daemonset.template.generation': '+04', author: 'y' },
        },
        spec: {
          selector,
          template,
          updateStrategy: { rollingUpdate: { maxUnavailable: '0%', maxSurge: '10%' } },
          minReadySeconds: 1,
          revisionHistoryLimit: 2,
        },
      },
      expected: {
        metadata: {
          name: 'rich',
          annotations: { author: 'y', 'deprecated.daemonset.template.generation': '4', zone: 'x' },
        },
        spec: {
          selector,
          template: completedTemplate,
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '0%', maxSurge: '10%' } },
          minReadySeconds: 1,
          revisionHistoryLimit: 2,
        },
        status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
      },
    },
  ],
  invalid: [
    {
      name: 'no selector is a selector of nothing',
      object: { metadata: { name: 'no-selector' }, spec: { template } },
      errors: [mismatch(shownLabels)],
    },
    {
      name: 'more than all, and both ways at once',
      object: {
        metadata: { name: 'much' },
        spec: {
          selector,
          template,
          updateStrategy: { rollingUpdate: { maxUnavailable: '101%', maxSurge: '200%' } },
          revisionHistoryLimit: -1,
        },
      },
      errors: [
        'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
        'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: "200%": must not be greater than 100%',
        'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: "200%": may not be set when maxUnavailable is non-zero',
        'spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
      ],
    },
    {
      name: 'an end and an unknown strategy',
      object: {
        metadata: { name: 'ending' },
        spec: {
          selector,
          template: { ...template, spec: { ...template.spec, activeDeadlineSeconds: 60 } },
          minReadySeconds: -1,
          updateStrategy: { type: 'Never' },
        },
      },
      errors: [
        'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in DaemonSet is not Supported',
        'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.updateStrategy: Unsupported value: {"Type":"Never","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"',
      ],
    },
  ],
};

const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } },
};
const mountingTemplate = {
  metadata: { labels },
  spec: {
    containers: [{ name: 'web', image: 'registry.example/web', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
  },
};

const statefulSets: CorpusEntry = {
  path: '/apis/apps/v1/namespaces/corpus/statefulsets',
  valid: [
    {
      name: 'minimal',
      object: { metadata: { name: 'plain' }, spec: { selector, template } },
      expected: {
        spec: {
          replicas: 1,
          selector,
          template: completedTemplate,
          serviceName: '',
          podManagementPolicy: 'OrderedReady',
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
          revisionHistoryLimit: 10,
          persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
        },
        status: { replicas: 0, availableReplicas: 0 },
      },
    },
    {
      name: 'rich',
      object: {
        metadata: { name: 'rich' },
        spec: {
          selector,
          template: mountingTemplate,
          serviceName: 'db',
          podManagementPolicy: 'Parallel',
          replicas: 3,
          minReadySeconds: 4,
          revisionHistoryLimit: 1,
          updateStrategy: { type: 'RollingUpdate' },
          volumeClaimTemplates: [claim],
          persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' },
          ordinals: { start: 2 },
        },
      },
      expected: {
        spec: {
          replicas: 3,
          selector,
          template: {
            ...completedTemplate,
            spec: {
              ...completedTemplate.spec,
              containers: [
                {
                  name: 'web',
                  image: 'registry.example/web',
                  resources: {},
                  volumeMounts: [{ name: 'data', mountPath: '/data' }],
                  terminationMessagePath: '/dev/termination-log',
                  terminationMessagePolicy: 'File',
                  imagePullPolicy: 'Always',
                },
              ],
            },
          },
          volumeClaimTemplates: [
            {
              kind: 'PersistentVolumeClaim',
              apiVersion: 'v1',
              metadata: { name: 'data' },
              spec: {
                accessModes: ['ReadWriteOnce'],
                resources: { requests: { storage: '2Gi' } },
                volumeMode: 'Filesystem',
              },
              status: { phase: 'Pending' },
            },
          ],
          serviceName: 'db',
          podManagementPolicy: 'Parallel',
          updateStrategy: { type: 'RollingUpdate' },
          revisionHistoryLimit: 1,
          minReadySeconds: 4,
          persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Delete' },
          ordinals: { start: 2 },
        },
        status: { replicas: 0, availableReplicas: 0 },
      },
    },
  ],
  invalid: [
    {
      name: 'wrong choices',
      object: {
        metadata: { name: 'choices' },
        spec: {
          selector,
          template,
          podManagementPolicy: 'Random',
          updateStrategy: { type: 'Sometimes', rollingUpdate: { partition: 2 } },
          persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Recycle' },
          serviceName: 'Db',
        },
      },
      errors: [
        "spec.podManagementPolicy: Invalid value: \"Random\": must be 'OrderedReady' or 'Parallel'",
        'spec.updateStrategy: Invalid value: {"Type":"Sometimes","RollingUpdate":{"Partition":2,"MaxUnavailable":null}}: must be \'RollingUpdate\' or \'OnDelete\'',
        'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Recycle": supported values: "Retain", "Delete"',
        `spec.serviceName: Invalid value: "Db": ${notLabel}`,
      ],
    },
    {
      name: 'wrong numbers',
      object: {
        metadata: { name: 'numbers' },
        spec: {
          selector,
          template,
          replicas: -1,
          minReadySeconds: -2,
          ordinals: { start: -3 },
          updateStrategy: { rollingUpdate: { partition: -4 } },
        },
      },
      errors: [
        'spec.updateStrategy.rollingUpdate.partition: Invalid value: -4: must be greater than or equal to 0',
        'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
        'spec.minReadySeconds: Invalid value: -2: must be greater than or equal to 0',
        'spec.ordinals.start: Invalid value: -3: must be greater than or equal to 0',
      ],
    },
    {
      name: 'an unusable selector and pods that end',
      object: {
        metadata: { name: 'ending' },
        spec: {
          selector: { matchExpressions: [{ key: 'app', operator: 'NotIn' }] },
          template: { ...template, spec: { ...template.spec, restartPolicy: 'Never', activeDeadlineSeconds: 60 } },
          updateStrategy: { type: 'OnDelete', rollingUpdate: {} },
        },
      },
      errors: [
        'spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":0,"MaxUnavailable":null}: only allowed for updateStrategy \'RollingUpdate\'',
        "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"NotIn"}]}',
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
        'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported',
      ],
    },
    {
      name: 'bad claims, which come before the volumes of the template, and bad labels, which are told twice',
      object: {
        metadata: { name: 'claims' },
        spec: {
          selector,
          template: {
            metadata: { labels: { ...labels, bad: '_' } },
            spec: {
              ...mountingTemplate.spec,
              hostname: 'Replaced_',
              volumes: [{ name: 'data' }, { name: 'Own', emptyDir: {} }],
            },
          },
          volumeClaimTemplates: [claim, { metadata: { name: 'small' }, spec: { accessModes: ['Write'] } }],
        },
      },
      errors: [
        'spec.volumeClaimTemplates[1].spec.accessModes: Unsupported value: "Write": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
        'spec.volumeClaimTemplates[1].spec.resources[storage]: Required value',
        `spec.template.labels: Invalid value: "_": ${notLabelValue}`,
        `spec.template.spec.volumes[2].name: Invalid value: "Own": ${notLabel}`,
        `spec.template.labels: Invalid value: "_": ${notLabelValue}`,
      ],
    },
    {
      name: 'a name with dots',
      object: { metadata: { name: 'a.b' }, spec: { selector, template } },
      errors: ['metadata.name: Invalid value: "a.b": must not contain dots'],
    },
  ],
};

const controllerRevisions: CorpusEntry = {
  path: '/apis/apps/v1/namespaces/corpus/controllerrevisions',
  valid: [
    {
      name: 'minimal',
      object: { metadata: { name: 'plain' }, data: {} },
      expected: { data: {}, revision: 0 },
    },
    {
      name: 'rich',
      object: { metadata: { name: 'rich.1' }, revision: 12, data: { spec: { list: [1, { two: 'three' }] } } },
      expected: { data: { spec: { list: [1, { two: 'three' }] } }, revision: 12 },
    },
  ],
  invalid: [
    {
      name: 'nothing recorded',
      object: { metadata: { name: 'nothing' }, revision: -5 },
      errors: [
        'data: Required value: data is mandatory',
        'revision: Invalid value: -5: must be greater than or equal to 0',
      ],
    },
    {
      name: 'a text',
      object: { metadata: { name: 'text' }, revision: 1, data: 'spec' },
      errors: ['data: Required value: data must be a valid JSON object'],
    },
    {
      name: 'a list',
      object: { metadata: { name: 'list' }, revision: 1, data: [] },
      errors: ['data: Required value: data must be a valid JSON object'],
    },
  ],
};

export const corpus: CorpusEntry[] = [controllerRevisions, daemonSets, deployments, replicaSets, statefulSets];
