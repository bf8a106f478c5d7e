/**
 * The behavior of an autoscaler as the annotation of v1 has it: field names begin with a capital letter and an unset
 * field is null, because kube-apiserver writes its internal type there.
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

/** Undefined when nothing is set. Accepts both spellings of the field names; nulls have been left out. */
export function behaviorFromAnnotation(parsed: unknown): Behavior | undefined {
  const behavior = withSmallNames(parsed) as Behavior | undefined;
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

function withSmallNames(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withSmallNames);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name.charAt(0).toLowerCase() + name.slice(1), withSmallNames(item)]),
  );
}
