import { conditionTexts } from './condition-texts.ts';
import type { TypeTexts } from './type-texts.ts';

const accessModes = 'ReadWriteOnce (one node), ReadOnlyMany, ReadWriteMany or ReadWriteOncePod (one pod).';

/** Persistent volumes and claims to them. */
export const coreV1PersistentVolumes: TypeTexts = {
  ModifyVolumeStatus: {
    '': 'Progress of a change of volume attributes.',
    targetVolumeAttributesClassName: 'The class that the volume is being changed to.',
    status: 'Pending (something is missing, such as the class), InProgress, or Infeasible (refused by the driver).',
  },
  PersistentVolume: {
    '': 'A piece of storage of the cluster, which outlives the pods that use it.',
    spec: 'What the storage is and how it may be used.',
    status: 'Whether it is in use.',
  },
  PersistentVolumeClaim: {
    '': 'A request for storage. It is bound to a persistent volume that satisfies it.',
    spec: 'The requested storage.',
    status: 'The bound volume and the state of the claim.',
  },
  PersistentVolumeClaimCondition: {
    '': 'One aspect of the state of a claim.',
    type: 'Name of the condition, such as Resizing or FileSystemResizePending.',
    ...conditionTexts,
    lastProbeTime: 'When the condition was last checked.',
  },
  PersistentVolumeClaimSpec: {
    '': 'The storage that a claim asks for.',
    accessModes: `How the volume must be usable: ${accessModes}`,
    selector: 'Only volumes with matching labels are bound.',
    resources: 'How much storage is needed. The request may be raised later if the class allows it.',
    volumeName: 'The bound volume. Set beforehand, it asks for that volume.',
    storageClassName: 'The class of the storage. Absent: the default class. Empty: only volumes without a class.',
    volumeMode: 'Filesystem or Block. Default Filesystem.',
    dataSource:
      'A snapshot or claim in the same namespace to take the first content from. Kept equal to `dataSourceRef` for ' +
      'those.',
    dataSourceRef:
      'An object of any kind to take the first content from. Unlike `dataSource` it refuses unsupported kinds and ' +
      'may name a namespace.',
    volumeAttributesClassName: 'Class of changeable properties of the volume. It may be changed after creation.',
  },
  PersistentVolumeClaimStatus: {
    '': 'The state of a claim.',
    phase: 'Pending (not bound yet), Bound, or Lost (the volume is gone).',
    accessModes: 'How the bound volume can be used.',
    capacity: 'Size of the bound volume.',
    conditions: 'Conditions that describe the state, such as an expansion that is under way.',
    allocatedResources: 'Capacity that an expansion has reserved. Quotas count the greater of this and the request.',
    allocatedResourceStatuses:
      'State of an expansion by resource, such as ControllerResizeInProgress or NodeResizePending.',
    currentVolumeAttributesClassName: 'The attributes class that is in effect.',
    modifyVolumeStatus: 'Progress of a change of the attributes class. Absent when there is none.',
  },
  PersistentVolumeClaimTemplate: {
    '': 'Template for the claim of an ephemeral volume.',
    metadata: 'Labels and annotations of the claim. Nothing else may be set.',
    spec: 'The spec of the claim.',
  },
  PersistentVolumeSpec: {
    '': 'The storage of a persistent volume.',
    capacity: 'Size of the volume.',
    accessModes: `How the volume can be used: ${accessModes}`,
    claimRef: 'The claim that the volume is bound to, or reserved for.',
    persistentVolumeReclaimPolicy:
      'What happens when the claim is gone: Retain keeps the volume, Delete deletes it with the storage. Recycle is ' +
      'deprecated. Default Retain.',
    storageClassName: 'Class of the storage. Claims of the same class can bind it.',
    mountOptions: 'Options for mounting, such as `ro`. They are not checked; a mount with a wrong one fails.',
    volumeMode: 'Filesystem or Block. Default Filesystem.',
    nodeAffinity: 'The nodes from which the volume can be reached. Pods that use it are scheduled there.',
    volumeAttributesClassName: 'The attributes class of the volume. Must agree with that of the claim.',
  },
  PersistentVolumeStatus: {
    '': 'The state of a persistent volume.',
    phase: 'Pending, Available (free), Bound, Released (its claim is gone) or Failed (it could not be reclaimed).',
    message: 'Details for people.',
    reason: 'Why a volume has failed, as one CamelCase word.',
    lastPhaseTransitionTime: 'When `phase` last changed.',
  },
  VolumeNodeAffinity: {
    '': 'The nodes from which a volume can be reached.',
    required: 'Selects the nodes.',
  },
  VolumeResourceRequirements: {
    '': 'How much storage is needed.',
    limits: 'Maximum capacity.',
    requests: 'Minimum capacity.',
  },
};
