import type { ResourceObject } from '../../meta/object.ts';
import { setClaimSpecDefaults } from '../core/persistent-volume-claim-rules.ts';
import { setPodTemplateDefaults } from '../core/pod/pod-spec-defaults.ts';
import type { StatefulSetSpec } from './stateful-set-types.ts';

export function setStatefulSetDefaults(statefulSet: ResourceObject): void {
  const spec = (statefulSet.spec ?? {}) as StatefulSetSpec;
  setPodTemplateDefaults(spec.template);
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.spec ??= {};
    setClaimSpecDefaults(claim.spec);
    claim.status ??= {};
    claim.status.phase ??= 'Pending';
  }
  spec.podManagementPolicy ??= 'OrderedReady';
  setStrategyDefaults(spec);
  spec.persistentVolumeClaimRetentionPolicy ??= { whenDeleted: undefined, whenScaled: undefined };
  spec.persistentVolumeClaimRetentionPolicy.whenDeleted ??= 'Retain';
  spec.persistentVolumeClaimRetentionPolicy.whenScaled ??= 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
}

/** A strategy that is named without options gets no default options. */
function setStrategyDefaults({ updateStrategy }: StatefulSetSpec): void {
  if (updateStrategy === undefined) return;
  if (updateStrategy.type === undefined) {
    updateStrategy.type = 'RollingUpdate';
    updateStrategy.rollingUpdate ??= { partition: undefined, maxUnavailable: undefined };
  }
  if (updateStrategy.type === 'RollingUpdate' && updateStrategy.rollingUpdate !== undefined) {
    updateStrategy.rollingUpdate.partition ??= 0;
  }
}
