import { field, int32, int64, string, struct, time } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';

export const HorizontalPodAutoscaler = struct('autoscaling/v1.HorizontalPodAutoscaler', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, HorizontalPodAutoscalerSpec, { required: true }),
  status: field(3, HorizontalPodAutoscalerStatus),
}));

export type HorizontalPodAutoscaler = ObjectOf<typeof HorizontalPodAutoscaler>;

export const HorizontalPodAutoscalerSpec = struct('autoscaling/v1.HorizontalPodAutoscalerSpec', () => ({
  scaleTargetRef: field(1, CrossVersionObjectReference, { required: true, always: true }),
  minReplicas: field(2, int32, { pointer: true, defaulted: true }),
  maxReplicas: field(3, int32, { required: true, always: true }),
  targetCPUUtilizationPercentage: field(4, int32, { pointer: true }),
}));

export type HorizontalPodAutoscalerSpec = TypeOf<typeof HorizontalPodAutoscalerSpec>;

export const CrossVersionObjectReference = struct(
  'autoscaling/v1.CrossVersionObjectReference',
  () => ({
    kind: field(1, string, { required: true, always: true }),
    name: field(2, string, { required: true, always: true }),
    apiVersion: field(3, string),
  }),
  { atomic: true },
);

export const HorizontalPodAutoscalerStatus = struct('autoscaling/v1.HorizontalPodAutoscalerStatus', () => ({
  observedGeneration: field(1, int64, { pointer: true }),
  lastScaleTime: field(2, time, { pointer: true }),
  currentReplicas: field(3, int32, { required: true, always: true }),
  desiredReplicas: field(4, int32, { required: true, always: true }),
  currentCPUUtilizationPercentage: field(5, int32, { pointer: true }),
}));
