import type { ResourceObject } from '../../meta/object.ts';
import { isExplicitEmpty } from '../../schema/explicit-empty.ts';
import { dropAnnotated, showAnnotated } from './annotated-fields.ts';
import type { HorizontalPodAutoscalerSpec as AutoscalerV1Spec } from './horizontal-pod-autoscaler-v1-types.ts';
import type {
  HorizontalPodAutoscalerSpec,
  HPAScalingPolicy,
  HPAScalingRules,
} from './horizontal-pod-autoscaler-v2-types.ts';
import { annotationNames } from './round-trip-annotations.ts';

const defaultUtilization = 80;

/**
 * Sets the defaults of v2. A client that sends an empty `behavior` gets its default rules. An empty list of policies
 * stays: validation refuses it.
 */
export function setAutoscalerDefaults(object: ResourceObject): void {
  dropAnnotated(object);
  const autoscaler = (object.spec ?? {}) as HorizontalPodAutoscalerSpec;
  autoscaler.minReplicas ??= 1;
  autoscaler.metrics ??= [
    {
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: defaultUtilization } },
    },
  ];
  const { behavior } = autoscaler;
  if (behavior === undefined) return;
  behavior.scaleUp = {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: isExplicitEmpty(behavior.scaleUp, 'policies') ? undefined : scaleUpPolicies(),
    ...withoutUndefined(behavior.scaleUp),
  };
  behavior.scaleDown = {
    stabilizationWindowSeconds: undefined,
    selectPolicy: 'Max',
    policies: isExplicitEmpty(behavior.scaleDown, 'policies') ? undefined : scaleDownPolicies(),
    ...withoutUndefined(behavior.scaleDown),
  };
}

/** Sets the defaults of v1, which has no other metric unless the annotation states some. */
export function setAutoscalerV1Defaults(object: ResourceObject): void {
  const autoscaler = (object.spec ?? {}) as AutoscalerV1Spec;
  autoscaler.minReplicas ??= 1;
  showAnnotated(object);
  if (object.metadata.annotations?.[annotationNames.metrics] === undefined) {
    autoscaler.targetCPUUtilizationPercentage ??= defaultUtilization;
  }
}

const scaleUpPolicies = (): HPAScalingPolicy[] => [
  { type: 'Pods', value: 4, periodSeconds: 15 },
  { type: 'Percent', value: 100, periodSeconds: 15 },
];

const scaleDownPolicies = (): HPAScalingPolicy[] => [{ type: 'Percent', value: 100, periodSeconds: 15 }];

/** Removes the fields that are undefined, so that they do not override defaults. */
function withoutUndefined(rules: HPAScalingRules = {}): HPAScalingRules {
  return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined));
}
