import { conditionTexts } from './condition-texts.ts';
import type { TypeTexts } from './type-texts.ts';

const metric = 'The metric.';
const target = 'The value that should be reached.';
const current = 'The value at the moment.';
const resourceName = 'The resource: cpu or memory.';
const kinds = {
  object: 'A metric of one object.',
  pods: 'A metric of each pod, averaged.',
  resource: 'Use of a resource by the pods.',
  containerResource: 'Use of a resource by one container of each pod.',
  external: 'A metric of something outside of the cluster.',
};

export const autoscalingV2: TypeTexts = {
  ContainerResourceMetricSource: {
    '': 'Use of a resource by one container of each pod.',
    name: resourceName,
    target,
    container: 'Name of the container.',
  },
  ContainerResourceMetricStatus: {
    '': 'Use of a resource by one container of each pod, as it is.',
    name: resourceName,
    current,
    container: 'Name of the container.',
  },
  CrossVersionObjectReference: {
    '': 'Names an object in the same namespace.',
    kind: 'Kind of the object.',
    name: 'Name of the object.',
    apiVersion: 'API version of the object.',
  },
  ExternalMetricSource: { '': 'A metric of something outside of the cluster.', metric, target },
  ExternalMetricStatus: { '': 'A metric of something outside of the cluster, as it is.', metric, current },
  HPAScalingPolicy: {
    '': 'How fast the number of pods may change.',
    type: 'Pods for a number of pods, Percent for a share of the current number.',
    value: 'How many pods, or percent. More than zero.',
    periodSeconds: 'The time in which that much may change, 1 to 1800 seconds.',
  },
  HPAScalingRules: {
    '': 'How the number of pods changes in one direction.',
    stabilizationWindowSeconds:
      'Seconds to look back, 0 to 3600; the most cautious recommendation of that time is followed. Default 0 up, 300 ' +
      'down.',
    selectPolicy:
      'Which policy counts: Max (the greatest change), Min, or Disabled (no change in this direction). Default Max.',
    policies:
      'How fast it may change. Default: up by 4 pods or 100 percent in 15 seconds, down by 100 percent in 15 seconds.',
    tolerance: 'How far the ratio of the current value to the target may be from 1 without a change. Default 0.1.',
  },
  HorizontalPodAutoscaler: {
    '': 'Changes the number of pods of a workload by metrics.',
    spec: 'The workload, the metrics and the limits.',
    status: 'What was measured and decided last.',
  },
  HorizontalPodAutoscalerBehavior: {
    '': 'How fast the number of pods changes.',
    scaleUp: 'Rules for more pods.',
    scaleDown: 'Rules for fewer pods.',
  },
  HorizontalPodAutoscalerCondition: {
    '': 'One aspect of the state of an autoscaler.',
    type: 'Name of the condition: AbleToScale, ScalingActive or ScalingLimited.',
    ...conditionTexts,
  },
  HorizontalPodAutoscalerSpec: {
    '': 'The workload, the metrics and the limits.',
    scaleTargetRef: 'The workload. It must have a `scale` subresource.',
    minReplicas: 'Minimum number of pods. Default 1.',
    maxReplicas: 'Maximum number of pods. Not less than `minReplicas`.',
    metrics: 'The metrics. The one that asks for the most pods wins. Default: 80 percent of the requested CPU.',
    behavior: 'How fast the number of pods changes.',
  },
  HorizontalPodAutoscalerStatus: {
    '': 'What was measured and decided last.',
    observedGeneration: 'Generation that the autoscaler has seen.',
    lastScaleTime: 'When the number of pods was last changed.',
    currentReplicas: 'Number of pods that were last seen.',
    desiredReplicas: 'Number of pods that was last decided.',
    currentMetrics: 'The last values of the metrics.',
    conditions: 'Conditions that describe the state.',
  },
  MetricIdentifier: {
    '': 'Names a metric.',
    name: 'Name of the metric.',
    selector: 'Labels that the metric must have.',
  },
  MetricSpec: {
    '': 'A metric and its target. The field that belongs to `type` is set.',
    type: 'Object, Pods, Resource, ContainerResource or External.',
    ...kinds,
  },
  MetricStatus: {
    '': 'A metric and its current value. The field that belongs to `type` is set.',
    type: 'Object, Pods, Resource, ContainerResource or External.',
    ...kinds,
  },
  MetricTarget: {
    '': 'The target value of a metric.',
    type: 'Utilization, Value or AverageValue.',
    value: 'The value itself.',
    averageValue: 'The value for each pod on average.',
    averageUtilization: 'Percentage of the request of the pods on average. Only for Resource and ContainerResource.',
  },
  MetricValueStatus: {
    '': 'The current value of a metric.',
    value: 'The value itself.',
    averageValue: 'The value for each pod on average.',
    averageUtilization: 'Percentage of the request of the pods on average.',
  },
  ObjectMetricSource: { '': 'A metric of one object.', describedObject: 'The object.', target, metric },
  ObjectMetricStatus: { '': 'A metric of one object, as it is.', metric, current, describedObject: 'The object.' },
  PodsMetricSource: {
    '': 'A metric of each pod, averaged over all of them.',
    metric,
    target: 'The value that should be reached. Its type is AverageValue.',
  },
  PodsMetricStatus: { '': 'A metric of each pod, averaged, as it is.', metric, current },
  ResourceMetricSource: { '': 'Use of a resource by the pods.', name: resourceName, target },
  ResourceMetricStatus: { '': 'Use of a resource by the pods, as it is.', name: resourceName, current },
};
