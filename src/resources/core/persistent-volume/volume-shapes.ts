import type { LabelSelectorValue } from '../../validation/label-selectors.ts';
import type { NodeSelector } from '../../validation/node-selectors.ts';
import type { ResourceList } from '../resource-list.ts';

// The fields of volumes and claims that the rules read.

export interface VolumeSpec {
  capacity?: ResourceList;
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
  resources?: { limits?: ResourceList; requests?: ResourceList };
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
  capacity?: ResourceList;
  allocatedResources?: ResourceList;
  allocatedResourceStatuses?: Record<string, string>;
  currentVolumeAttributesClassName?: string;
}
