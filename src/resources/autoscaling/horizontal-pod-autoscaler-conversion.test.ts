import { describe, expect, it } from 'vitest';
import { autoscalerFromStored, autoscalerToStored } from './horizontal-pod-autoscaler-conversion.ts';

const prefix = 'autoscaling.alpha.kubernetes.io/';
const scaleTargetRef = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' };
const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } };

interface Case {
  about: string;
  stored: { spec?: object; status?: object; annotations?: Record<string, string> };
  served: { spec?: object; status?: object; annotations?: Record<string, unknown> };
}

// Annotations are given as parsed JSON.
const cases: Case[] = [
  {
    about: 'the one metric that both know',
    stored: { spec: { metrics: [cpu] } },
    served: { spec: { targetCPUUtilizationPercentage: 50 } },
  },
  {
    about: 'metrics of all other types, before that of cpu',
    stored: {
      spec: {
        metrics: [
          {
            type: 'Pods',
            pods: {
              metric: { name: 'p', selector: { matchLabels: { a: 'b' } } },
              target: { type: 'AverageValue', averageValue: '1k' },
            },
          },
          {
            type: 'Object',
            object: {
              describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
              target: { type: 'Value', value: '5' },
              metric: { name: 'o' },
            },
          },
          { type: 'External', external: { metric: { name: 'e' }, target: { type: 'Value', value: '100m' } } },
          {
            type: 'ContainerResource',
            containerResource: {
              name: 'memory',
              target: { type: 'AverageValue', averageValue: '1Gi' },
              container: 'c',
            },
          },
          cpu,
        ],
      },
    },
    served: {
      spec: { targetCPUUtilizationPercentage: 50 },
      annotations: {
        metrics: [
          {
            type: 'Pods',
            pods: { metricName: 'p', targetAverageValue: '1k', selector: { matchLabels: { a: 'b' } } },
          },
          {
            type: 'Object',
            object: {
              target: { kind: 'Service', name: 's', apiVersion: 'v1' },
              metricName: 'o',
              targetValue: '5',
            },
          },
          { type: 'External', external: { metricName: 'e', targetValue: '100m' } },
          {
            type: 'ContainerResource',
            containerResource: { name: 'memory', targetAverageValue: '1Gi', container: 'c' },
          },
        ],
      },
    },
  },
  {
    about: 'averages',
    stored: {
      spec: {
        metrics: [
          {
            type: 'Object',
            object: {
              describedObject: { kind: 'Service', name: 's' },
              target: { type: 'AverageValue', averageValue: '2' },
              metric: { name: 'o' },
            },
          },
          {
            type: 'External',
            external: { metric: { name: 'e' }, target: { type: 'AverageValue', averageValue: '3' } },
          },
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '100m' } } },
        ],
      },
    },
    served: {
      spec: {},
      annotations: {
        metrics: [
          {
            type: 'Object',
            object: {
              target: { kind: 'Service', name: 's' },
              metricName: 'o',
              targetValue: '0',
              averageValue: '2',
            },
          },
          { type: 'External', external: { metricName: 'e', targetAverageValue: '3' } },
          { type: 'Resource', resource: { name: 'cpu', targetAverageValue: '100m' } },
        ],
      },
    },
  },
  {
    about: 'behavior, with the field names of the internal type',
    stored: {
      spec: {
        metrics: [cpu],
        behavior: {
          scaleUp: {
            stabilizationWindowSeconds: 5,
            selectPolicy: 'Min',
            policies: [{ type: 'Pods', value: 2, periodSeconds: 30 }],
            tolerance: '200m',
          },
          scaleDown: { stabilizationWindowSeconds: 60 },
        },
      },
    },
    served: {
      spec: { targetCPUUtilizationPercentage: 50 },
      annotations: {
        behavior: {
          ScaleUp: {
            StabilizationWindowSeconds: 5,
            SelectPolicy: 'Min',
            Policies: [{ Type: 'Pods', Value: 2, PeriodSeconds: 30 }],
            Tolerance: '200m',
          },
          ScaleDown: { StabilizationWindowSeconds: 60, SelectPolicy: null, Policies: null, Tolerance: null },
        },
      },
    },
  },
  {
    about: 'current values and conditions beside annotations of others',
    stored: {
      annotations: { own: 'kept' },
      spec: { metrics: [cpu] },
      status: {
        observedGeneration: 2,
        lastScaleTime: '2024-01-01T00:00:00Z',
        currentReplicas: 1,
        desiredReplicas: 3,
        currentMetrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', current: { averageValue: '100m', averageUtilization: 40 } },
          },
          { type: 'Pods', pods: { metric: { name: 'p' }, current: { averageValue: '1' } } },
          {
            type: 'Object',
            object: {
              metric: { name: 'o' },
              current: { value: '7', averageValue: '1' },
              describedObject: { kind: 'Service', name: 's' },
            },
          },
          { type: 'External', external: { metric: { name: 'e' }, current: { value: '7' } } },
          {
            type: 'ContainerResource',
            containerResource: { name: 'memory', current: { averageValue: '1Gi' }, container: 'c' },
          },
        ],
        conditions: [
          { type: 'AbleToScale', status: 'True' },
          {
            type: 'ScalingActive',
            status: 'False',
            lastTransitionTime: '2024-01-01T00:00:00Z',
            reason: 'R',
            message: 'm',
          },
        ],
      },
    },
    served: {
      spec: { targetCPUUtilizationPercentage: 50 },
      status: {
        observedGeneration: 2,
        lastScaleTime: '2024-01-01T00:00:00Z',
        currentReplicas: 1,
        desiredReplicas: 3,
        currentCPUUtilizationPercentage: 40,
      },
      annotations: {
        own: 'kept',
        'current-metrics': [
          {
            type: 'Resource',
            resource: { name: 'cpu', currentAverageUtilization: 40, currentAverageValue: '100m' },
          },
          { type: 'Pods', pods: { metricName: 'p', currentAverageValue: '1' } },
          {
            type: 'Object',
            object: { target: { kind: 'Service', name: 's' }, metricName: 'o', currentValue: '7', averageValue: '1' },
          },
          { type: 'External', external: { metricName: 'e', currentValue: '7' } },
          {
            type: 'ContainerResource',
            containerResource: { name: 'memory', currentAverageValue: '1Gi', container: 'c' },
          },
        ],
        conditions: [
          { type: 'AbleToScale', status: 'True', lastTransitionTime: null },
          {
            type: 'ScalingActive',
            status: 'False',
            lastTransitionTime: '2024-01-01T00:00:00Z',
            reason: 'R',
            message: 'm',
          },
        ],
      },
    },
  },
  {
    about: 'a second metric of cpu',
    stored: {
      spec: {
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
          cpu,
        ],
      },
    },
    served: {
      spec: { targetCPUUtilizationPercentage: 50 },
      annotations: { metrics: [{ type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 70 } }] },
    },
  },
];

function annotationsOf(values: Record<string, unknown> | undefined): Record<string, string> | undefined {
  return (
    values &&
    Object.fromEntries(
      Object.entries(values).map(([name, value]) =>
        typeof value === 'string' ? [name, value] : [prefix + name, JSON.stringify(value)],
      ),
    )
  );
}

function autoscaler(version: string, { spec, status, annotations }: Case['stored']) {
  return {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: `autoscaling/${version}`,
    metadata: { name: 'h', ...(annotations && { annotations }) },
    spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 5, ...spec },
    ...(status && { status }),
  };
}

function v1({ annotations, ...rest }: Case['served']) {
  const texts = annotationsOf(annotations);
  return autoscaler('v1', { ...rest, ...(texts && { annotations: texts }) });
}

describe('conversion of autoscalers', () => {
  const there = cases.filter(({ about }) => about !== 'a second metric of cpu');

  it.each(there)('shows v1 clients $about', ({ stored, served }) => {
    expect(autoscalerFromStored(autoscaler('v2', stored))).toStrictEqual(v1(served));
  });

  it.each(cases)('converts v1 to the stored version: $about', ({ stored, served }) => {
    expect(autoscalerToStored(v1(served))).toStrictEqual(autoscaler('v2', stored));
  });

  it.each(cases)('loses nothing in a round trip: $about', ({ stored }) => {
    const there = autoscaler('v2', stored);
    const back = autoscalerToStored(autoscalerFromStored(there));
    expect(sortedMetrics(back)).toStrictEqual(sortedMetrics(there));
  });

  it('moves the metric of cpu to the end, as kube-apiserver does', () => {
    const pods = { type: 'Pods', pods: { metric: { name: 'p' }, target: { type: 'AverageValue', averageValue: '1' } } };
    const stored = autoscaler('v2', { spec: { metrics: [cpu, pods] } });
    expect(autoscalerToStored(autoscalerFromStored(stored))).toMatchObject({ spec: { metrics: [pods, cpu] } });
  });

  it('targets 80 % of cpu when a v1 client names no metric', () => {
    const { spec } = autoscalerToStored(v1({}));
    expect(spec).toMatchObject({ metrics: [{ resource: { target: { averageUtilization: 80 } } }] });
  });

  it('takes the current utilization from the field when there is no annotation', () => {
    const { status } = autoscalerToStored(v1({ status: { currentCPUUtilizationPercentage: 30 } }));
    expect(status).toStrictEqual({
      currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 30 } } }],
    });
  });

  it.each([
    ['no JSON', 'x'],
    ['no list', '{}'],
    ['a list of nothing', '[null]'],
    ['a list of text', '["x"]'],
  ])('ignores an annotation that is %s', (_, text) => {
    const names = ['metrics', 'behavior', 'current-metrics', 'conditions'].map((name) => prefix + name);
    const annotations = Object.fromEntries(names.map((name) => [name, text]));
    const served = autoscaler('v1', { spec: { targetCPUUtilizationPercentage: 50 }, annotations });
    expect(autoscalerToStored(served)).toStrictEqual(autoscaler('v2', { spec: { metrics: [cpu] } }));
  });

  it('accepts metrics without fields', () => {
    const types = ['object', 'pods', 'resource', 'containerResource', 'external'];
    const metrics = types.map((type) => ({ type, [type]: {} }));
    const served = autoscalerFromStored(autoscaler('v2', { spec: { metrics }, status: { currentMetrics: metrics } }));
    expect(autoscalerToStored(served).spec).toMatchObject({ metrics: [{}, {}, {}, {}, {}] });
  });

  it('removes round-trip annotations that a client wrote', () => {
    const annotations = { [`${prefix}metrics`]: '[]', own: 'kept' };
    const { metadata } = autoscalerFromStored(autoscaler('v2', { spec: { metrics: [cpu] }, annotations }));
    expect(metadata.annotations).toStrictEqual({ own: 'kept' });
  });
});

/** The order of two CPU metrics decides which one is in the v1 field. That one comes last after a round trip. */
function sortedMetrics(object: ReturnType<typeof autoscalerToStored>) {
  const { metrics, ...spec } = object.spec as { metrics: unknown[] };
  return { ...object, spec: { ...spec, metrics: metrics.map((metric) => JSON.stringify(metric)).sort() } };
}

it.each([
  ['metrics', '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"bad"}}]'],
  ['metrics', '[{"type":"Pods","pods":{"metricName":5,"targetAverageValue":"1"}}]'],
  ['metrics', '[{"type":"Resource","resource":{"name":"cpu","targetAverageUtilization":"x"}}]'],
  ['metrics', '[5]'],
  ['metrics', 'no JSON'],
  ['behavior', '{"ScaleUp":{"StabilizationWindowSeconds":"x"}}'],
  ['behavior', '{"ScaleUp":{"Policies":5}}'],
  ['conditions', '[{"type":5,"status":"True"}]'],
  ['current-metrics', '[{"type":"Pods","pods":{"metricName":"m","currentAverageValue":"bad"}}]'],
])('ignores an annotation of the wrong type: %s %s', (name, text) => {
  const target = { type: 'Utilization', averageUtilization: 80 };
  const metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
  const annotations = { [`${prefix}${name}`]: text };
  expect(autoscalerToStored(autoscaler('v1', { annotations }))).toEqual(autoscaler('v2', { spec: { metrics } }));
});
