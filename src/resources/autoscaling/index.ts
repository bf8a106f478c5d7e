import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineKind, defineResource, type KindDefinition, status } from '../define.ts';
import { autoscalerFromStored, autoscalerToStored } from './horizontal-pod-autoscaler-conversion.ts';
import { autoscalerRules, autoscalerV1Rules } from './horizontal-pod-autoscaler-rules.ts';
import { HorizontalPodAutoscaler as HorizontalPodAutoscalerV1 } from './horizontal-pod-autoscaler-v1-types.ts';
import { HorizontalPodAutoscaler } from './horizontal-pod-autoscaler-v2-types.ts';
import { Scale } from './scale-v1-types.ts';

/**
 * The `autoscaling` group: autoscalers in v1 and v2, of which v2 is stored, and Scale, the type of every `scale`
 * subresource. `controllers` changes the replicas.
 */
const v1 = { group: 'autoscaling', version: 'v1' };
const v2 = { group: 'autoscaling', version: 'v2' };

const common = { shortNames: ['hpa'], categories: ['all'], subresources: [status] };

export const autoscalingResources: readonly ResourceDefinition[] = [
  defineResource(v2, 'horizontalpodautoscalers', {
    ...common,
    schema: HorizontalPodAutoscaler,
    ...autoscalerRules,
  }),
  defineResource(v1, 'horizontalpodautoscalers', {
    ...common,
    schema: HorizontalPodAutoscalerV1,
    ...autoscalerV1Rules,
    storage: { version: 'v2', conversion: { toStored: autoscalerToStored, fromStored: autoscalerFromStored } },
  }),
];

export const autoscalingKinds: readonly KindDefinition[] = [defineKind(v1, Scale)];
