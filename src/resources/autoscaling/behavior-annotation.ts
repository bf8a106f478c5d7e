/**
 * The behavior of an autoscaler in the v1 annotation. Field names begin with a capital letter and unset fields are
 * null, because kube-apiserver encodes its internal Go type there.
 */

import type { HorizontalPodAutoscalerBehavior, HPAScalingRules } from './horizontal-pod-autoscaler-v2-types.ts';

export function behaviorToAnnotation({ scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior): string {
  return JSON.stringify({ ScaleUp: rulesToAnnotation(scaleUp), ScaleDown: rulesToAnnotation(scaleDown) });
}

/** Returns undefined when nothing is set. Accepts field names in both cases. The caller has removed nulls. */
export function behaviorFromAnnotation(parsed: unknown): HorizontalPodAutoscalerBehavior | undefined {
  const behavior = withLowerCamelCaseNames(parsed) as HorizontalPodAutoscalerBehavior | undefined;
  return behavior?.scaleUp || behavior?.scaleDown ? behavior : undefined;
}

function rulesToAnnotation(rules: HPAScalingRules | undefined) {
  return rules
    ? {
        StabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
        SelectPolicy: rules.selectPolicy ?? null,
        Policies:
          rules.policies?.map(({ type, value, periodSeconds }) => ({
            Type: type,
            Value: value,
            PeriodSeconds: periodSeconds,
          })) ?? null,
        Tolerance: rules.tolerance ?? null,
      }
    : null;
}

function withLowerCamelCaseNames(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withLowerCamelCaseNames);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name.charAt(0).toLowerCase() + name.slice(1),
      withLowerCamelCaseNames(item),
    ]),
  );
}
