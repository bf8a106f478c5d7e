import type { ResourceObject } from '../../meta/object.ts';
import type { Cell } from '../../meta/table-columns.ts';
import type { PodTemplateSpec } from '../core/pod-types.ts';
import { age } from './ages.ts';

/** Returns the cells for container names and images. */
export function containerCells(template: PodTemplateSpec | null | undefined): string[] {
  const containers = template?.spec?.containers ?? [];
  return [containers.map(({ name }) => name ?? '').join(','), containers.map(({ image }) => image ?? '').join(',')];
}

/** A workload with a number of identical pods. */
export interface Replicated extends ResourceObject {
  readonly spec?: { readonly replicas?: number; readonly template?: PodTemplateSpec };
  readonly status?: { readonly replicas?: number; readonly readyReplicas?: number };
}

/** Returns all cells except the last one, the selector. */
export function replicatedCells(object: Replicated, now: number): Cell[] {
  const { metadata, spec, status } = object;
  return [
    metadata.name ?? '',
    spec?.replicas ?? 0,
    status?.replicas ?? 0,
    status?.readyReplicas ?? 0,
    age(object, now),
    ...containerCells(spec?.template),
  ];
}
