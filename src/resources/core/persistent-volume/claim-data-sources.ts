import type { PersistentVolumeClaimSpec } from '../persistent-volume-claim-types.ts';
import type { TypedObjectReference } from '../reference-types.ts';

/**
 * `dataSource` is the older field and accepts only claims and snapshots; any other kind is dropped. `dataSourceRef`
 * accepts any kind. The field that is set is copied to the other one, so that old and new clients see the same source.
 * A source in another namespace is dropped, because the feature gate for it is off.
 */
export function normalizeDataSources(
  spec: PersistentVolumeClaimSpec,
  oldSpec: PersistentVolumeClaimSpec | undefined,
): void {
  if (spec.dataSourceRef?.namespace && oldSpec?.dataSourceRef === undefined) spec.dataSourceRef = undefined;
  if (oldSpec?.dataSource === undefined && spec.dataSourceRef === undefined && !isClaimOrSnapshot(spec.dataSource)) {
    spec.dataSource = undefined;
  }
  const { dataSource, dataSourceRef } = spec;
  if (dataSourceRef !== undefined && dataSource === undefined && !dataSourceRef.namespace) {
    spec.dataSource = copySource(dataSourceRef);
  } else if (dataSource !== undefined && dataSourceRef === undefined) {
    spec.dataSourceRef = copySource(dataSource);
  }
}

function copySource({ apiGroup, kind, name }: TypedObjectReference): TypedObjectReference {
  return { apiGroup, kind, name };
}

function isClaimOrSnapshot(source: TypedObjectReference | undefined): boolean {
  if (source === undefined) return false;
  const { apiGroup, kind } = source;
  if (kind === 'PersistentVolumeClaim') return !apiGroup;
  return kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io';
}
