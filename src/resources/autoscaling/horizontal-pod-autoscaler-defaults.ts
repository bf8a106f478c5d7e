import type { ResourceObject } from '../../meta/object.ts';
import type { AutoscalerSpec, ScalingPolicy, ScalingRules } from './autoscaler-shapes.ts';

const defaultUtilization = 80;

/** For v2. An empty `behavior` says that the client wants to see what holds. */
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
    policies: scaleUpPolicies(),
    ...given(behavior.scaleUp),
  };
  behavior.scaleDown = {
    stabilizationWindowSeconds: undefined,
    selectPolicy: 'Max',
    policies: scaleDownPolicies(),
    ...given(behavior.scaleDown),
  };
}

/** For v1, where the metrics are filled in when it becomes v2. */
export function setAutoscalerV1Defaults({ spec }: ResourceObject): void {
  const autoscaler = (spec ?? {}) as AutoscalerSpec;
  autoscaler.minReplicas ??= 1;
}

const scaleUpPolicies = (): ScalingPolicy[] => [
  { type: 'Pods', value: 4, periodSeconds: 15 },
  { type: 'Percent', value: 100, periodSeconds: 15 },
];

const scaleDownPolicies = (): ScalingPolicy[] => [{ type: 'Percent', value: 100, periodSeconds: 15 }];

/** Without the fields that have a place but no value. */
function given(rules: ScalingRules = {}): ScalingRules {
  return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined));
}
