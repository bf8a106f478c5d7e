import { field, int32, int64, listOf, namedString, quantity, string, struct, time } from '../../schema/builders.ts';
import { LabelSelector, ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';

export const HorizontalPodAutoscaler = struct('autoscaling/v2.HorizontalPodAutoscaler', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, HorizontalPodAutoscalerSpec, { required: true }),
  status: field(3, HorizontalPodAutoscalerStatus),
}));

export type HorizontalPodAutoscaler = ObjectOf<typeof HorizontalPodAutoscaler>;

export const HorizontalPodAutoscalerSpec = struct('autoscaling/v2.HorizontalPodAutoscalerSpec', () => ({
  scaleTargetRef: field(1, CrossVersionObjectReference, { required: true, always: true }),
  minReplicas: field(2, int32, { pointer: true, defaulted: true }),
  maxReplicas: field(3, int32, { required: true, always: true }),
  metrics: field(4, listOf(MetricSpec), { list: 'atomic', defaulted: true }),
  behavior: field(5, HorizontalPodAutoscalerBehavior, { pointer: true }),
}));

export type HorizontalPodAutoscalerSpec = TypeOf<typeof HorizontalPodAutoscalerSpec>;

export const CrossVersionObjectReference = struct('autoscaling/v2.CrossVersionObjectReference', () => ({
  kind: field(1, string, { required: true, always: true }),
  name: field(2, string, { required: true, always: true }),
  apiVersion: field(3, string),
}));

export type CrossVersionObjectReference = TypeOf<typeof CrossVersionObjectReference>;

export const MetricSpec = struct('autoscaling/v2.MetricSpec', () => ({
  type: field(1, namedString('autoscaling/v2.MetricSourceType'), { required: true, always: true }),
  object: field(2, ObjectMetricSource, { pointer: true }),
  pods: field(3, PodsMetricSource, { pointer: true }),
  resource: field(4, ResourceMetricSource, { pointer: true }),
  containerResource: field(7, ContainerResourceMetricSource, { pointer: true }),
  external: field(5, ExternalMetricSource, { pointer: true }),
}));

export type MetricSpec = TypeOf<typeof MetricSpec>;

export const ObjectMetricSource = struct('autoscaling/v2.ObjectMetricSource', () => ({
  describedObject: field(1, CrossVersionObjectReference, { required: true, always: true }),
  target: field(2, MetricTarget, { required: true, always: true }),
  metric: field(3, MetricIdentifier, { required: true, always: true }),
}));

export const MetricTarget = struct('autoscaling/v2.MetricTarget', () => ({
  type: field(1, namedString('autoscaling/v2.MetricTargetType'), { required: true, always: true }),
  value: field(2, quantity, { pointer: true }),
  averageValue: field(3, quantity, { pointer: true }),
  averageUtilization: field(4, int32, { pointer: true }),
}));

export type MetricTarget = TypeOf<typeof MetricTarget>;

export const MetricIdentifier = struct('autoscaling/v2.MetricIdentifier', () => ({
  name: field(1, string, { required: true, always: true }),
  selector: field(2, LabelSelector, { pointer: true }),
}));

export type MetricIdentifier = TypeOf<typeof MetricIdentifier>;

export const PodsMetricSource = struct('autoscaling/v2.PodsMetricSource', () => ({
  metric: field(1, MetricIdentifier, { required: true, always: true }),
  target: field(2, MetricTarget, { required: true, always: true }),
}));

export const ResourceMetricSource = struct('autoscaling/v2.ResourceMetricSource', () => ({
  name: field(1, namedString('core/v1.ResourceName'), { required: true, always: true }),
  target: field(2, MetricTarget, { required: true, always: true }),
}));

export type ResourceMetricSource = TypeOf<typeof ResourceMetricSource>;

export const ContainerResourceMetricSource = struct('autoscaling/v2.ContainerResourceMetricSource', () => ({
  name: field(1, namedString('core/v1.ResourceName'), { required: true, always: true }),
  target: field(2, MetricTarget, { required: true, always: true }),
  container: field(3, string, { required: true, always: true }),
}));

export const ExternalMetricSource = struct('autoscaling/v2.ExternalMetricSource', () => ({
  metric: field(1, MetricIdentifier, { required: true, always: true }),
  target: field(2, MetricTarget, { required: true, always: true }),
}));

export const HorizontalPodAutoscalerBehavior = struct('autoscaling/v2.HorizontalPodAutoscalerBehavior', () => ({
  scaleUp: field(1, HPAScalingRules, { pointer: true, defaulted: true }),
  scaleDown: field(2, HPAScalingRules, { pointer: true, defaulted: true }),
}));

export type HorizontalPodAutoscalerBehavior = TypeOf<typeof HorizontalPodAutoscalerBehavior>;

export const HPAScalingRules = struct('autoscaling/v2.HPAScalingRules', () => ({
  stabilizationWindowSeconds: field(3, int32, { pointer: true, defaulted: true }),
  selectPolicy: field(1, namedString('autoscaling/v2.ScalingPolicySelect'), { pointer: true, defaulted: true }),
  policies: field(2, listOf(HPAScalingPolicy), { list: 'atomic', defaulted: true }),
  tolerance: field(4, quantity, { pointer: true }),
}));

export type HPAScalingRules = TypeOf<typeof HPAScalingRules>;

export const HPAScalingPolicy = struct('autoscaling/v2.HPAScalingPolicy', () => ({
  type: field(1, namedString('autoscaling/v2.HPAScalingPolicyType'), { required: true, always: true }),
  value: field(2, int32, { required: true, always: true }),
  periodSeconds: field(3, int32, { required: true, always: true }),
}));

export type HPAScalingPolicy = TypeOf<typeof HPAScalingPolicy>;

export const HorizontalPodAutoscalerStatus = struct('autoscaling/v2.HorizontalPodAutoscalerStatus', () => ({
  observedGeneration: field(1, int64, { pointer: true }),
  lastScaleTime: field(2, time, { pointer: true }),
  currentReplicas: field(3, int32),
  desiredReplicas: field(4, int32, { required: true, always: true }),
  currentMetrics: field(5, listOf(MetricStatus), { always: true, list: 'atomic' }),
  conditions: field(6, listOf(HorizontalPodAutoscalerCondition), {
    list: ['type'],
    patch: { strategies: ['merge'], mergeKey: 'type' },
  }),
}));

export type HorizontalPodAutoscalerStatus = TypeOf<typeof HorizontalPodAutoscalerStatus>;

export const MetricStatus = struct('autoscaling/v2.MetricStatus', () => ({
  type: field(1, namedString('autoscaling/v2.MetricSourceType'), { required: true, always: true }),
  object: field(2, ObjectMetricStatus, { pointer: true }),
  pods: field(3, PodsMetricStatus, { pointer: true }),
  resource: field(4, ResourceMetricStatus, { pointer: true }),
  containerResource: field(7, ContainerResourceMetricStatus, { pointer: true }),
  external: field(5, ExternalMetricStatus, { pointer: true }),
}));

export type MetricStatus = TypeOf<typeof MetricStatus>;

export const ObjectMetricStatus = struct('autoscaling/v2.ObjectMetricStatus', () => ({
  metric: field(1, MetricIdentifier, { required: true, always: true }),
  current: field(2, MetricValueStatus, { required: true, always: true }),
  describedObject: field(3, CrossVersionObjectReference, { required: true, always: true }),
}));

export const MetricValueStatus = struct('autoscaling/v2.MetricValueStatus', () => ({
  value: field(1, quantity, { pointer: true }),
  averageValue: field(2, quantity, { pointer: true }),
  averageUtilization: field(3, int32, { pointer: true }),
}));

export type MetricValueStatus = TypeOf<typeof MetricValueStatus>;

export const PodsMetricStatus = struct('autoscaling/v2.PodsMetricStatus', () => ({
  metric: field(1, MetricIdentifier, { required: true, always: true }),
  current: field(2, MetricValueStatus, { required: true, always: true }),
}));

export const ResourceMetricStatus = struct('autoscaling/v2.ResourceMetricStatus', () => ({
  name: field(1, namedString('core/v1.ResourceName'), { required: true, always: true }),
  current: field(2, MetricValueStatus, { required: true, always: true }),
}));

export const ContainerResourceMetricStatus = struct('autoscaling/v2.ContainerResourceMetricStatus', () => ({
  name: field(1, namedString('core/v1.ResourceName'), { required: true, always: true }),
  current: field(2, MetricValueStatus, { required: true, always: true }),
  container: field(3, string, { required: true, always: true }),
}));

export const ExternalMetricStatus = struct('autoscaling/v2.ExternalMetricStatus', () => ({
  metric: field(1, MetricIdentifier, { required: true, always: true }),
  current: field(2, MetricValueStatus, { required: true, always: true }),
}));

export const HorizontalPodAutoscalerCondition = struct('autoscaling/v2.HorizontalPodAutoscalerCondition', () => ({
  type: field(1, namedString('autoscaling/v2.HorizontalPodAutoscalerConditionType'), { required: true, always: true }),
  status: field(2, namedString('core/v1.ConditionStatus'), { required: true, always: true }),
  lastTransitionTime: field(3, time),
  reason: field(4, string),
  message: field(5, string),
}));

export type HorizontalPodAutoscalerCondition = TypeOf<typeof HorizontalPodAutoscalerCondition>;
