import type { ResourceObject } from '../../meta/object.ts';
import { isExplicitEmpty } from '../../schema/explicit-empty.ts';
import type { AutoscalerSpec, ScalingPolicy, ScalingRules } from './autoscaler-shapes.ts';
import { annotatedList, annotationNames } from './round-trip-annotations.ts';

const defaultUtilization = 80;

/**
 * Sets the defaults of v2. A client that sends an empty `behavior` gets its default rules. An empty list of policies
 * stays: validation refuses it.
 */
export function setAutoscalerDefaults({ spec }: ResourceObject): void {
  const autoscaler = (spec ?? {}) as AutoscalerSpec;
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
export function setAutoscalerV1Defaults({ metadata, spec }: ResourceObject): void {
  const autoscaler = (spec ?? {}) as AutoscalerV1Spec;
  autoscaler.minReplicas ??= 1;
  if (annotatedList(metadata, annotationNames.metrics).length === 0) {
    autoscaler.targetCPUUtilizationPercentage ??= defaultUtilization;
  }
}

interface AutoscalerV1Spec {
  minReplicas?: number;
  targetCPUUtilizationPercentage?: number;
}

const scaleUpPolicies = (): ScalingPolicy[] => [
  { type: 'Pods', value: 4, periodSeconds: 15 },
  { type: 'Percent', value: 100, periodSeconds: 15 },
];

const scaleDownPolicies = (): ScalingPolicy[] => [{ type: 'Percent', value: 100, periodSeconds: 15 }];

/** Removes the fields that are undefined, so that they do not override defaults. */
function withoutUndefined(rules: ScalingRules = {}): ScalingRules {
  return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined));
}
