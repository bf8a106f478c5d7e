/**
 * The behavior of an autoscaler in the v1 annotation. Field names begin with a capital letter and unset fields are
 * null, because kube-apiserver encodes its internal Go type there.
 */

interface ScalingPolicy {
  readonly type: string;
  readonly value: number;
  readonly periodSeconds: number;
}

interface ScalingRules {
  readonly stabilizationWindowSeconds?: number;
  readonly selectPolicy?: string;
  readonly policies?: readonly ScalingPolicy[];
  readonly tolerance?: string;
}

export interface Behavior {
  readonly scaleUp?: ScalingRules;
  readonly scaleDown?: ScalingRules;
}

export function behaviorToAnnotation({ scaleUp, scaleDown }: Behavior): string {
  return JSON.stringify({ ScaleUp: rulesToAnnotation(scaleUp), ScaleDown: rulesToAnnotation(scaleDown) });
}

/** Returns undefined when nothing is set. Accepts field names in both cases. The caller has removed nulls. */
export function behaviorFromAnnotation(parsed: unknown): Behavior | undefined {
  const behavior = withLowerCamelCaseNames(parsed) as Behavior | undefined;
  return behavior?.scaleUp || behavior?.scaleDown ? behavior : undefined;
}

function rulesToAnnotation(rules: ScalingRules | undefined) {
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
