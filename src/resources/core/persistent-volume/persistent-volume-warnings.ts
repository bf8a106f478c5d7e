import type { ResourceObject } from '../../../meta/object.ts';
import type { PersistentVolumeSpec } from '../persistent-volume-types.ts';
import type { NodeSelectorTerm } from '../scheduling-types.ts';
import { successorOf } from './deprecated-node-labels.ts';

const oldAnnotations: readonly (readonly [string, string])[] = [
  ['volume.beta.kubernetes.io/storage-class', 'deprecated since v1.8; use "storageClassName" attribute instead'],
  ['volume.beta.kubernetes.io/mount-options', 'deprecated since v1.31; use "mountOptions" attribute instead'],
];

/** The field of the source, its name in the warning, and the text of the warning. */
const oldSources: readonly (readonly [string, string, string])[] = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
];

export function volumeWarnings(volume: ResourceObject): string[] {
  const spec = (volume.spec ?? {}) as PersistentVolumeSpec & Record<string, unknown>;
  const warnings = annotationWarnings(volume, oldAnnotations);
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') {
    warnings.push(
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    );
  }
  for (const [index, term] of (spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).entries()) {
    warnings.push(...termWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`));
  }
  for (const [source, name, detail] of oldSources) {
    if (spec[source] !== undefined) warnings.push(`spec.${name}: ${detail}`);
  }
  return warnings;
}

export function annotationWarnings(
  { metadata }: ResourceObject,
  annotations: readonly (readonly [string, string])[] = oldAnnotations.slice(0, 1),
): string[] {
  const annotationValues = metadata.annotations;
  if (annotationValues === undefined) return [];
  return annotations
    .filter(([key]) => annotationValues[key] !== undefined)
    .map(([key, detail]) => `metadata.annotations[${key}]: ${detail}`);
}

function termWarnings({ matchExpressions = [] }: NodeSelectorTerm, field: string): string[] {
  return matchExpressions.flatMap(({ key = '' }, index) => {
    const successor = successorOf(key);
    if (successor === undefined) return [];
    const { since, use } = successor;
    return [`${field}.matchExpressions[${index}].key: ${key} is deprecated since ${since}; use "${use}" instead`];
  });
}
