import type { ResourceObject } from '../../meta/object.ts';
import type { Cell } from '../../meta/table-columns.ts';
import { age } from './ages.ts';

/** The fields of a pod template that the columns read. */
export interface PodTemplate {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: {
    readonly containers?: readonly { readonly name?: string; readonly image?: string }[];
    readonly nodeSelector?: Readonly<Record<string, string>>;
  };
}

/** Returns the cells for container names and images. */
export function containerCells(template: PodTemplate | null | undefined): string[] {
  const containers = template?.spec?.containers ?? [];
  return [containers.map(({ name }) => name ?? '').join(','), containers.map(({ image }) => image ?? '').join(',')];
}

/** A workload with a number of identical pods. */
export interface Replicated extends ResourceObject {
  readonly spec?: { readonly replicas?: number; readonly template?: PodTemplate };
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
