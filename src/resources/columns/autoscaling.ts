import type { ResourceObject } from '../../meta/object.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import { autoscalerToStored } from '../autoscaling/horizontal-pod-autoscaler-conversion.ts';
import type { HorizontalPodAutoscaler } from '../autoscaling/horizontal-pod-autoscaler-v2-types.ts';
import { annotationNames } from '../autoscaling/round-trip-annotations.ts';
import type { Scale } from '../autoscaling/scale-v1-types.ts';
import { age } from './ages.ts';
import { horizontalPodAutoscalerDefinitions, scaleDefinitions } from './definitions/autoscaling.ts';
import { metricText } from './metric-text.ts';
import { shortenedList } from './shortened-list.ts';

const horizontalPodAutoscaler: TableColumns = {
  definitions: horizontalPodAutoscalerDefinitions,
  hiddenAnnotations: new Set(Object.values(annotationNames)),
  cells(object, now) {
    const oldObject = object.apiVersion === 'autoscaling/v1' ? inNewerVersion(object) : object;
    const { spec, status } = oldObject as HorizontalPodAutoscaler;
    const target = spec?.scaleTargetRef;
    return [
      object.metadata.name ?? '',
      `${target?.kind ?? ''}/${target?.name ?? ''}`,
      targetsText(oldObject),
      spec?.minReplicas === undefined ? '<unset>' : String(spec.minReplicas),
      spec?.maxReplicas ?? 0,
      status?.currentReplicas ?? 0,
      age(object, now),
    ];
  },
};

/** In autoscaling/v1, most metrics are in annotations. */
function inNewerVersion(object: ResourceObject): ResourceObject {
  const { annotations } = object.metadata;
  // Convert only the fields that are shown: the conversion does not support every value of observedGeneration.
  const status = { ...(object as HorizontalPodAutoscaler).status, observedGeneration: undefined };
  return autoscalerToStored({ ...object, metadata: { ...(annotations && { annotations }) }, status });
}

function targetsText({ spec, status }: HorizontalPodAutoscaler): string {
  const texts = (spec?.metrics ?? []).map((metric, index) => metricText(metric, status?.currentMetrics?.[index]));
  return shortenedList(texts, 2, ', ') || '<none>';
}

const scale: TableColumns = {
  definitions: scaleDefinitions,
  cells(object, now) {
    const { metadata, spec, status } = object as Scale;
    return [metadata.name ?? '', spec?.replicas ?? 0, status?.replicas ?? 0, age(object, now)];
  },
};

export const autoscalingColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['autoscaling/HorizontalPodAutoscaler', horizontalPodAutoscaler],
  ['autoscaling/Scale', scale],
]);
