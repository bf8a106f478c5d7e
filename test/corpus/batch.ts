import { expect } from 'vitest';
import type { CorpusEntry } from './corpus-entry.ts';

const containers = [{ name: 'main', image: 'registry.example/worker:2.1' }];
const template = (extra: object = {}) => ({ spec: { restartPolicy: 'Never', containers, ...extra } });
const completedPod = (restartPolicy = 'Never') => ({
  containers: [
    {
      name: 'main',
      image: 'registry.example/worker:2.1',
      resources: {},
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      imagePullPolicy: 'IfNotPresent',
    },
  ],
  restartPolicy,
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
});
const uid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const generatedLabels = (name: string) => ({
  'batch.kubernetes.io/controller-uid': uid,
  'batch.kubernetes.io/job-name': name,
  'controller-uid': uid,
  'job-name': name,
});
const job = (spec: object) => ({ metadata: { name: 'bad' }, spec: { template: template(), ...spec } });
const cronJob = (spec: object) => ({
  metadata: { name: 'bad' },
  spec: { schedule: '@daily', jobTemplate: { spec: { template: template() } }, ...spec },
});

export const corpus: CorpusEntry[] = [
  {
    path: '/apis/batch/v1/namespaces/corpus/jobs',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'once' }, spec: { template: template() } },
        expected: {
          metadata: { name: 'once', labels: generatedLabels('once') },
          spec: {
            parallelism: 1,
            completions: 1,
            backoffLimit: 6,
            selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
            manualSelector: false,
            template: { metadata: { labels: generatedLabels('once') }, spec: completedPod() },
            completionMode: 'NonIndexed',
            suspend: false,
            podReplacementPolicy: 'TerminatingOrFailed',
          },
          status: {},
        },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'often', labels: { team: 'data' } },
          spec: {
            parallelism: 4,
            completions: 8,
            completionMode: 'Indexed',
            backoffLimitPerIndex: 2,
            maxFailedIndexes: 3,
            activeDeadlineSeconds: 600,
            ttlSecondsAfterFinished: 0,
            suspend: true,
            manualSelector: true,
            selector: { matchLabels: { run: 'often' } },
            managedBy: 'example.com/queue',
            podFailurePolicy: {
              rules: [
                { action: 'Count', onPodConditions: [{ type: 'DisruptionTarget' }] },
                { action: 'FailIndex', onExitCodes: { operator: 'NotIn', values: [0, 3] } },
              ],
            },
            successPolicy: { rules: [{ succeededIndexes: '0,2-4', succeededCount: 3 }] },
            template: { metadata: { labels: { run: 'often' } }, ...template() },
          },
        },
        expected: {
          spec: {
            parallelism: 4,
            completions: 8,
            activeDeadlineSeconds: 600,
            podFailurePolicy: {
              rules: [
                { action: 'Count', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
                { action: 'FailIndex', onExitCodes: { operator: 'NotIn', values: [0, 3] } },
              ],
            },
            successPolicy: { rules: [{ succeededIndexes: '0,2-4', succeededCount: 3 }] },
            backoffLimit: 2147483647,
            backoffLimitPerIndex: 2,
            maxFailedIndexes: 3,
            selector: { matchLabels: { run: 'often' } },
            manualSelector: true,
            template: { metadata: { labels: { run: 'often' } }, spec: completedPod() },
            ttlSecondsAfterFinished: 0,
            completionMode: 'Indexed',
            suspend: true,
            podReplacementPolicy: 'Failed',
            managedBy: 'example.com/queue',
          },
          status: {},
        },
      },
    ],
    invalid: [
      {
        name: 'negative numbers',
        object: job({ parallelism: -1, completions: -2, backoffLimit: -3, ttlSecondsAfterFinished: -4 }),
        errors: [
          'spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
          'spec.completions: Invalid value: -2: must be greater than or equal to 0',
          'spec.backoffLimit: Invalid value: -3: must be greater than or equal to 0',
          'spec.ttlSecondsAfterFinished: Invalid value: -4: must be greater than or equal to 0',
        ],
      },
      {
        name: 'indexes without an index',
        object: job({ backoffLimitPerIndex: 1, maxFailedIndexes: 2, successPolicy: {} }),
        errors: [
          'spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode',
          'spec.maxFailedIndexes: Invalid value: 2: requires indexed completion mode',
          'spec.successPolicy: Invalid value: {"Rules":null}: requires indexed completion mode',
        ],
      },
      {
        name: 'indexed without an end',
        object: job({ completionMode: 'Indexed', parallelism: 2, maxFailedIndexes: 200000, backoffLimitPerIndex: 0 }),
        errors: [
          'spec.completions: Required value: when completion mode is Indexed',
          'spec.maxFailedIndexes: Invalid value: 200000: must be less than or equal to 100000',
        ],
      },
      {
        name: 'success that cannot be reached',
        object: job({
          completionMode: 'Indexed',
          completions: 5,
          successPolicy: { rules: [{ succeededIndexes: '1-2', succeededCount: 6 }, { succeededIndexes: '3,1' }] },
        }),
        errors: [
          'spec.successPolicy.rules[0].succeededCount: Invalid value: 6: must be less than or equal to 5 (the number of specified completions)',
          'spec.successPolicy.rules[0].succeededCount: Invalid value: 6: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)',
          'spec.successPolicy.rules[1].succeededIndexes: Invalid value: "3,1": error parsing succeededIndexes: non-increasing order, previous: 3, current: 1',
        ],
      },
      {
        name: 'failure rules that say nothing',
        object: job({
          podFailurePolicy: { rules: [{ onExitCodes: { values: [] } }, { action: 'Count' }] },
          podReplacementPolicy: 'Failed',
        }),
        errors: [
          'spec.podFailurePolicy.rules[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]',
          'spec.podFailurePolicy.rules[0].onExitCodes.operator: Required value: valid values: ["In" "NotIn"]',
          'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: []: at least one value is required',
          'spec.podFailurePolicy.rules[1]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required',
        ],
      },
      {
        name: 'a pod that always restarts',
        object: job({ template: template({ restartPolicy: undefined }) }),
        errors: ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
      },
      {
        name: 'pods whose names would be too long',
        object: {
          metadata: { name: 'j'.repeat(62) },
          spec: { completionMode: 'Indexed', completions: 11, template: template() },
        },
        errors: [
          `metadata.name: Invalid value: "${'j'.repeat(62)}": will not able to create pod with invalid DNS label: ${'j'.repeat(62)}-10`,
        ],
      },
    ],
  },
  {
    path: '/apis/batch/v1/namespaces/corpus/cronjobs',
    valid: [
      {
        name: 'minimal',
        object: { ...cronJob({}), metadata: { name: 'nightly' } },
        expected: {
          spec: {
            schedule: '@daily',
            concurrencyPolicy: 'Allow',
            suspend: false,
            jobTemplate: { metadata: {}, spec: { template: { metadata: {}, spec: completedPod() } } },
            successfulJobsHistoryLimit: 3,
            failedJobsHistoryLimit: 1,
          },
          status: {},
        },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'workdays' },
          spec: {
            schedule: '30 6-18/2 ? * MON-FRI',
            timeZone: 'America/Sao_Paulo',
            startingDeadlineSeconds: 0,
            concurrencyPolicy: 'Replace',
            suspend: true,
            successfulJobsHistoryLimit: 0,
            failedJobsHistoryLimit: 0,
            jobTemplate: {
              metadata: { annotations: { note: 'from the schedule' } },
              spec: {
                parallelism: 2,
                podFailurePolicy: {
                  rules: [{ action: 'Ignore', onPodConditions: [{ type: 'Ready', status: 'False' }] }],
                },
                template: template(),
              },
            },
          },
        },
        expected: {
          spec: {
            schedule: '30 6-18/2 ? * MON-FRI',
            timeZone: 'America/Sao_Paulo',
            startingDeadlineSeconds: 0,
            concurrencyPolicy: 'Replace',
            suspend: true,
            jobTemplate: {
              metadata: { annotations: { note: 'from the schedule' } },
              spec: {
                parallelism: 2,
                podFailurePolicy: {
                  rules: [{ action: 'Ignore', onPodConditions: [{ type: 'Ready', status: 'False' }] }],
                },
                template: { metadata: {}, spec: completedPod() },
              },
            },
            successfulJobsHistoryLimit: 0,
            failedJobsHistoryLimit: 0,
          },
          status: {},
        },
      },
    ],
    invalid: [
      {
        name: 'a day that no month has, in no zone',
        object: cronJob({ schedule: '0 0 32 * *', timeZone: 'Atlantis/Port' }),
        errors: [
          'spec.schedule: Invalid value: "0 0 32 * *": end of range (32) above maximum (31): 32',
          'spec.timeZone: Invalid value: "Atlantis/Port": unknown time zone Atlantis/Port',
        ],
      },
      {
        name: 'a zone inside of the schedule',
        object: cronJob({ schedule: 'CRON_TZ=Asia/Tokyo 0 4 * * *', concurrencyPolicy: 'Queue' }),
        errors: [
          'spec.schedule: Invalid value: "CRON_TZ=Asia/Tokyo 0 4 * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
          'spec.concurrencyPolicy: Unsupported value: "Queue": supported values: "Allow", "Forbid", "Replace"',
        ],
      },
      {
        name: 'a job with a selector, and no history',
        object: cronJob({
          jobTemplate: { spec: { template: template(), manualSelector: true, selector: {} } },
          successfulJobsHistoryLimit: -1,
          failedJobsHistoryLimit: -2,
        }),
        errors: [
          'spec.jobTemplate.spec.selector: Invalid value: {}: `selector` will be auto-generated',
          'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
          'spec.successfulJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
          'spec.failedJobsHistoryLimit: Invalid value: -2: must be greater than or equal to 0',
        ],
      },
      {
        name: 'a name without room for the time',
        object: { ...cronJob({}), metadata: { name: 'c'.repeat(53) } },
        errors: [`metadata.name: Invalid value: "${'c'.repeat(53)}": must be no more than 52 characters`],
      },
    ],
  },
];
