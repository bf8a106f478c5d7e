import type { LabelSelectorValue } from '../../validation/label-selectors.ts';
import type { NodeSelector } from '../../validation/node-selectors.ts';

// The fields of volumes and claims that the rules read.

export type Amounts = Record<string, string>;

export interface VolumeSpec {
  capacity?: Amounts;
  accessModes?: readonly string[];
  claimRef?: object;
  persistentVolumeReclaimPolicy?: string;
  storageClassName?: string;
  volumeMode?: string;
  nodeAffinity?: VolumeNodeAffinity;
  volumeAttributesClassName?: string;
  hostPath?: { path?: string; type?: string };
  csi?: { controllerExpandSecretRef?: object };
}

export interface VolumeNodeAffinity {
  readonly required?: NodeSelector;
}

export interface VolumeStatus {
  phase?: string;
  lastPhaseTransitionTime?: string;
}

export interface ClaimSpec {
  accessModes?: readonly string[];
  selector?: LabelSelectorValue;
  resources?: { limits?: Amounts; requests?: Amounts };
  volumeName?: string;
  storageClassName?: string;
  volumeMode?: string;
  dataSource?: DataSource;
  dataSourceRef?: DataSource & { namespace?: string };
  volumeAttributesClassName?: string;
}

export interface DataSource {
  apiGroup?: string | null;
  kind?: string;
  name?: string;
}

export interface ClaimStatus {
  phase?: string;
  capacity?: Amounts;
  allocatedResources?: Amounts;
  allocatedResourceStatuses?: Record<string, string>;
}
