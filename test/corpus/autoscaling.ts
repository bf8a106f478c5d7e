import type { CorpusEntry } from './corpus-entry.ts';

const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db' };
const cpu = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

export const corpus: CorpusEntry[] = [
  {
    path: '/apis/autoscaling/v2/namespaces/corpus/horizontalpodautoscalers',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'small' }, spec: { scaleTargetRef, maxReplicas: 3 } },
        expected: {
          spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 3, metrics: [cpu(80)] },
          status: { desiredReplicas: 0, currentMetrics: null },
        },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'large' },
          spec: {
            scaleTargetRef,
            minReplicas: 2,
            maxReplicas: 20,
            metrics: [
              {
                type: 'External',
                external: {
                  metric: { name: 'queue', selector: { matchLabels: { queue: 'mail' } } },
                  target: { type: 'AverageValue', averageValue: '0.5' },
                },
              },
              {
                type: 'ContainerResource',
                containerResource: {
                  name: 'memory',
                  container: 'main',
                  target: { type: 'Utilization', averageUtilization: 70 },
                },
              },
            ],
            behavior: { scaleDown: { stabilizationWindowSeconds: 0, tolerance: '0.05' } },
          },
        },
        expected: {
          spec: {
            scaleTargetRef,
            minReplicas: 2,
            maxReplicas: 20,
            metrics: [
              {
                type: 'External',
                external: {
                  metric: { name: 'queue', selector: { matchLabels: { queue: 'mail' } } },
                  target: { type: 'AverageValue', averageValue: '500m' },
                },
              },
              {
                type: 'ContainerResource',
                containerResource: {
                  name: 'memory',
                  target: { type: 'Utilization', averageUtilization: 70 },
                  container: 'main',
                },
              },
            ],
            behavior: {
              scaleUp: {
                stabilizationWindowSeconds: 0,
                selectPolicy: 'Max',
                policies: [
                  { type: 'Pods', value: 4, periodSeconds: 15 },
                  { type: 'Percent', value: 100, periodSeconds: 15 },
                ],
              },
              scaleDown: {
                stabilizationWindowSeconds: 0,
                selectPolicy: 'Max',
                policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
                tolerance: '50m',
              },
            },
          },
          status: { desiredReplicas: 0, currentMetrics: null },
        },
      },
    ],
    invalid: [
      {
        name: 'nothing but a name',
        object: { metadata: { name: 'bad' } },
        errors: [
          'spec.maxReplicas: Required value: must be set and greater than 0',
          'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
          'spec.scaleTargetRef.kind: Required value',
          'spec.scaleTargetRef.name: Required value',
          'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
        ],
      },
      {
        name: 'metrics without targets',
        object: {
          metadata: { name: 'bad' },
          spec: {
            scaleTargetRef,
            maxReplicas: 1,
            metrics: [
              { type: 'Object', object: { describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' } } },
              { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'Value', value: '0' } } },
              { type: 'Resource', external: { metric: { name: 'm' }, target: { type: 'Value' } } },
            ],
          },
        },
        errors: [
          'spec.metrics[0].object.metric.name: Required value: must specify a metric name',
          'spec.metrics[0].object.target.type: Required value: must specify a metric target type',
          'spec.metrics[0].object.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue',
          'spec.metrics[0].object.target.averageValue: Required value: must set either a target value or averageValue',
          'spec.metrics[1].pods.target.value: Invalid value: "0": must be positive',
          'spec.metrics[1].pods.target.averageValue: Required value: must specify a positive target averageValue',
          'spec.metrics[2].external.target.averageValue: Required value: must set either a target value for metric or a per-pod target',
          'spec.metrics[2].resource: Required value: must populate information for the given metric source',
        ],
      },
      {
        name: 'behavior out of its bounds',
        object: {
          metadata: { name: 'bad' },
          spec: {
            scaleTargetRef,
            maxReplicas: 1,
            behavior: {
              scaleUp: { stabilizationWindowSeconds: -1, policies: [{ type: 'Pods', value: 1 }] },
              scaleDown: { tolerance: '-1m' },
            },
          },
        },
        errors: [
          'spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero',
          'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 0: must be greater than zero',
          'spec.behavior.scaleDown.tolerance: Invalid value: "-1m": must be greater than or equal to 0',
        ],
      },
    ],
  },
  {
    path: '/apis/autoscaling/v1/namespaces/corpus/horizontalpodautoscalers',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'old-small' }, spec: { scaleTargetRef, maxReplicas: 2 } },
        expected: {
          spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 2, targetCPUUtilizationPercentage: 80 },
          status: { currentReplicas: 0, desiredReplicas: 0 },
        },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'old-large', labels: { size: 'l' } },
          spec: { scaleTargetRef, minReplicas: 5, maxReplicas: 50, targetCPUUtilizationPercentage: 150 },
        },
        expected: {
          spec: { scaleTargetRef, minReplicas: 5, maxReplicas: 50, targetCPUUtilizationPercentage: 150 },
          status: { currentReplicas: 0, desiredReplicas: 0 },
        },
      },
    ],
    invalid: [
      {
        name: 'a target of nothing, named as in v2',
        object: {
          metadata: { name: 'bad' },
          spec: { scaleTargetRef, maxReplicas: 2, targetCPUUtilizationPercentage: -10 },
        },
        errors: ['spec.metrics[0].resource.target.averageUtilization: Invalid value: -10: must be greater than 0'],
      },
      {
        name: 'no pods at all',
        object: { metadata: { name: 'bad' }, spec: { scaleTargetRef, minReplicas: 0, maxReplicas: 2 } },
        errors: [
          'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
          'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
        ],
      },
      {
        name: 'a version of too many parts',
        object: {
          metadata: { name: 'bad' },
          spec: { scaleTargetRef: { apiVersion: 'a/b/c', kind: 'K', name: '..' }, maxReplicas: 2 },
        },
        errors: [
          'spec.scaleTargetRef.name: Invalid value: "..": may not be \'..\'',
          'spec.scaleTargetRef.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
        ],
      },
    ],
  },
];
