import type { ObjectMeta, ResourceObject } from '../../meta/object.ts';
import { compileKind, Findings } from '../../schema/normalize/index.ts';
import { autoscalerFromStored, autoscalerToStored } from './horizontal-pod-autoscaler-conversion.ts';
import { HorizontalPodAutoscaler } from './horizontal-pod-autoscaler-v2-types.ts';
import { annotationNames, withAnnotations } from './round-trip-annotations.ts';

/** The annotations of v1 that carry fields of the spec, and those that carry fields of the status. */
const namesOf = {
  spec: [annotationNames.metrics, annotationNames.behavior],
  status: [annotationNames.currentMetrics, annotationNames.conditions],
} as const;

const allNames = Object.values(annotationNames);

const stored = compileKind({
  schema: HorizontalPodAutoscaler,
  kind: 'HorizontalPodAutoscaler',
  apiVersion: 'autoscaling/v2',
});

/**
 * Rewrites the annotations of a v1 object, and the fields that depend on them, as every reader of v1 will see them.
 * Annotations that cannot be read vanish, so nobody owns them.
 */
export function showAnnotated(object: ResourceObject): void {
  const { metadata, spec, status } = object as AutoscalerV1;
  if (!hasAny(metadata, allNames)) return;
  const shown = autoscalerFromStored(stored.normalize(autoscalerToStored(object), new Findings())) as AutoscalerV1;
  setAnnotations(metadata, shown.metadata.annotations ?? {});
  if (spec !== undefined) spec.targetCPUUtilizationPercentage = shown.spec?.targetCPUUtilizationPercentage;
  if (status !== undefined) status.currentCPUUtilizationPercentage = shown.status?.currentCPUUtilizationPercentage;
}

/** Removes the annotations of v1 from a v2 object, which has fields instead. */
export function dropAnnotated({ metadata }: ResourceObject): void {
  if (hasAny(metadata, allNames)) setAnnotations(metadata, withAnnotations(metadata, {}).annotations ?? {});
}

/** Gives a part of a v1 object the annotations of another object. Removes them if there is none. */
export function restoreAnnotated(
  part: keyof typeof namesOf,
  { metadata }: ResourceObject,
  from?: ResourceObject,
): void {
  const names = namesOf[part];
  if (!hasAny(metadata, names) && !(from && hasAny(from.metadata, names))) return;
  const annotations = { ...metadata.annotations };
  for (const name of names) {
    const value = from?.metadata.annotations?.[name];
    if (value === undefined) delete annotations[name];
    else annotations[name] = value;
  }
  setAnnotations(metadata, annotations);
}

interface AutoscalerV1 extends ResourceObject {
  spec?: { targetCPUUtilizationPercentage?: number | undefined };
  status?: { currentCPUUtilizationPercentage?: number | undefined };
}

function hasAny({ annotations }: ObjectMeta, names: readonly string[]): boolean {
  return annotations !== undefined && names.some((name) => annotations[name] !== undefined);
}

/** In the order of keys of the canonical form. */
function setAnnotations(metadata: ObjectMeta, annotations: Readonly<Record<string, string>>): void {
  const sorted = Object.keys(annotations).sort();
  metadata.annotations =
    sorted.length > 0 ? Object.fromEntries(sorted.map((name) => [name, annotations[name]!])) : undefined;
}
