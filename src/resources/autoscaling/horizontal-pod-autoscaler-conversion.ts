import type { ResourceObject } from '../../meta/object.ts';
import { behaviorFromAnnotation, behaviorToAnnotation } from './behavior-annotation.ts';
import type { HorizontalPodAutoscaler as HorizontalPodAutoscalerV1 } from './horizontal-pod-autoscaler-v1-types.ts';
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerCondition,
  MetricSpec,
  MetricStatus,
} from './horizontal-pod-autoscaler-v2-types.ts';
import * as types from './horizontal-pod-autoscaler-v2-types.ts';
import { type MetricSpecV1, metricSpecFromV1, metricSpecToV1 } from './metric-spec-conversion.ts';
import { type MetricStatusV1, metricStatusFromV1, metricStatusToV1 } from './metric-status-conversion.ts';
import { annotated, annotatedList, annotationNames, ofType, withAnnotations } from './round-trip-annotations.ts';

const defaultUtilization = 80;

export function autoscalerFromStored(stored: ResourceObject): ResourceObject {
  const { metadata, spec, status } = stored as HorizontalPodAutoscaler;
  const metrics = spec?.metrics ?? [];
  const currentMetrics = status?.currentMetrics ?? [];
  const conditions = status?.conditions ?? [];
  // The v1 field holds one CPU metric. A second one goes into the annotation.
  const cpu = metrics.find(isCpuUtilization);
  const others = metrics.filter((metric) => metric !== cpu);
  const added: Record<string, string> = {};
  if (others.length > 0) {
    added[annotationNames.metrics] = JSON.stringify(others.map(metricSpecToV1));
  }
  // CPU metrics are included, because the v1 field cannot hold the raw value.
  if (currentMetrics.length > 0) {
    added[annotationNames.currentMetrics] = JSON.stringify(currentMetrics.map(metricStatusToV1));
  }
  if (spec?.behavior) {
    added[annotationNames.behavior] = behaviorToAnnotation(spec.behavior);
  }
  if (conditions.length > 0) {
    added[annotationNames.conditions] = JSON.stringify(conditions.map(conditionToV1));
  }
  return withoutUndefined({
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v1',
    metadata: withAnnotations(metadata, added),
    spec: spec && {
      scaleTargetRef: spec.scaleTargetRef,
      minReplicas: spec.minReplicas,
      maxReplicas: spec.maxReplicas,
      targetCPUUtilizationPercentage: cpu?.resource?.target?.averageUtilization,
    },
    status: status && {
      ...countsOf(status),
      currentReplicas: status.currentReplicas ?? 0,
      currentCPUUtilizationPercentage:
        currentMetrics.findLast(isCurrentCpuUtilization)?.resource?.current?.averageUtilization,
    },
  });
}

export function autoscalerToStored(served: ResourceObject): ResourceObject {
  const { metadata, spec, status } = served as HorizontalPodAutoscalerV1;
  const target = spec?.targetCPUUtilizationPercentage;
  const metrics = ofType(
    types.MetricSpec,
    annotatedList<MetricSpecV1>(metadata, annotationNames.metrics).map(metricSpecFromV1),
  );
  if (target !== undefined) {
    metrics.push(cpuUtilization(target));
  } else if (metrics.length === 0) {
    // Defaulted here, because only the conversion knows that both the field and the annotation are empty.
    metrics.push(cpuUtilization(defaultUtilization));
  }
  const currentMetrics = ofType(
    types.MetricStatus,
    annotatedList<MetricStatusV1>(metadata, annotationNames.currentMetrics).map(metricStatusFromV1),
  );
  const current = status?.currentCPUUtilizationPercentage;
  if (currentMetrics.length === 0 && current !== undefined) {
    currentMetrics.push({ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: current } } });
  }
  const conditions = ofType(
    types.HorizontalPodAutoscalerCondition,
    annotatedList<HorizontalPodAutoscalerCondition>(metadata, annotationNames.conditions),
  );
  const annotatedBehavior = behaviorFromAnnotation(annotated(metadata, annotationNames.behavior));
  const [behavior] = ofType(types.HorizontalPodAutoscalerBehavior, annotatedBehavior ? [annotatedBehavior] : []);
  const hasStatus = status !== undefined || currentMetrics.length > 0 || conditions.length > 0;
  return withoutUndefined({
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v2',
    metadata: withAnnotations(metadata, {}),
    spec: {
      scaleTargetRef: spec?.scaleTargetRef,
      minReplicas: spec?.minReplicas,
      maxReplicas: spec?.maxReplicas,
      metrics,
      behavior,
    },
    status: hasStatus
      ? {
          ...countsOf(status ?? {}),
          // v2 omits a zero count, which v1 writes, and writes null when there are no metrics.
          currentReplicas: status?.currentReplicas || undefined,
          currentMetrics: currentMetrics.length > 0 ? currentMetrics : null,
          conditions: conditions.length > 0 ? conditions : undefined,
        }
      : undefined,
  });
}

function isCpuUtilization({ type, resource }: MetricSpec): boolean {
  return type === 'Resource' && resource?.name === 'cpu' && resource.target?.averageUtilization !== undefined;
}

function isCurrentCpuUtilization({ resource }: MetricStatus): boolean {
  return resource?.name === 'cpu' && resource.current?.averageUtilization !== undefined;
}

function cpuUtilization(averageUtilization: number): MetricSpec {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

function countsOf({
  observedGeneration,
  lastScaleTime,
  currentReplicas,
  desiredReplicas,
}: NonNullable<HorizontalPodAutoscaler['status']>) {
  return { observedGeneration, lastScaleTime, currentReplicas, desiredReplicas };
}

function conditionToV1({
  type,
  status,
  lastTransitionTime,
  reason,
  message,
}: HorizontalPodAutoscalerCondition): HorizontalPodAutoscalerCondition {
  return { type, status, lastTransitionTime: lastTransitionTime ?? null, reason, message };
}

/** Returns a copy without undefined fields. */
function withoutUndefined<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutUndefined) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutUndefined(member)])) as T;
}
