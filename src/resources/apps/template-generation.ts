import type { ResourceObject } from '../../meta/object.ts';
import { sortedMap } from '../core/pod/sorted-map.ts';
import { PodTemplateSpec } from '../core/pod-types.ts';
import { isSameOfType } from '../validation/same-of-type.ts';
import { integerAnnotation, normalizeIntegerAnnotation } from './integer-annotation.ts';

/** Counts the changes of a daemon set's template. Clients can set only the initial value. */
export const templateGenerationAnnotation = 'deprecated.daemonset.template.generation';

/** Adds the annotation to every daemon set, so that its position in the map is stable. Absent means zero. */
export function setTemplateGenerationDefault(daemonSet: ResourceObject): void {
  normalizeIntegerAnnotation(daemonSet, templateGenerationAnnotation);
  writeGeneration(daemonSet, integerAnnotation(daemonSet, templateGenerationAnnotation) ?? 0n);
}

export function initializeTemplateGeneration(daemonSet: ResourceObject): void {
  const sent = integerAnnotation(daemonSet, templateGenerationAnnotation) ?? 0n;
  if (sent < 1n) writeGeneration(daemonSet, 1n);
}

export function incrementTemplateGeneration(next: ResourceObject, oldObject: ResourceObject): void {
  const generation = integerAnnotation(oldObject, templateGenerationAnnotation) ?? 0n;
  writeGeneration(
    next,
    isSameOfType(PodTemplateSpec, templateOf(next), templateOf(oldObject)) ? generation : generation + 1n,
  );
}

export function keepTemplateGeneration(next: ResourceObject, oldObject: ResourceObject): void {
  writeGeneration(next, integerAnnotation(oldObject, templateGenerationAnnotation) ?? 0n);
}

export function isTemplateChanged(next: ResourceObject, oldObject: ResourceObject): boolean {
  return (
    next.metadata.annotations?.[templateGenerationAnnotation] !==
    oldObject.metadata.annotations?.[templateGenerationAnnotation]
  );
}

function templateOf({ spec }: ResourceObject): unknown {
  return (spec as { template?: unknown } | undefined)?.template;
}

function writeGeneration({ metadata }: ResourceObject, generation: bigint): void {
  const { annotations } = metadata;
  const value = String(generation);
  if (annotations?.[templateGenerationAnnotation] === value) return;
  metadata.annotations = sortedMap({ ...annotations, [templateGenerationAnnotation]: value });
}
