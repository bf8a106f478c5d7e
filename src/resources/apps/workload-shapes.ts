// The fields of workloads that their rules read. Absent and zero are equal for fields that are not pointers in Go.

import type { ClaimSpec, ClaimStatus } from '../core/persistent-volume/volume-shapes.ts';
import type { PodTemplate } from '../core/pod/pod-shapes.ts';
import type { LabelSelectorValue } from '../validation/label-selectors.ts';
import type { Integer, IntOrPercent } from '../validation/numbers.ts';

export interface WorkloadSpec {
  replicas?: number;
  minReadySeconds?: number;
  /** Null when the client sent none. */
  selector?: LabelSelectorValue | null;
  template?: PodTemplate;
  revisionHistoryLimit?: number;
}

export interface DeploymentSpec extends WorkloadSpec {
  strategy?: { type?: string; rollingUpdate?: RollingUpdate };
  progressDeadlineSeconds?: number;
}

export interface DaemonSetSpec extends WorkloadSpec {
  updateStrategy?: { type?: string; rollingUpdate?: RollingUpdate };
}

export interface RollingUpdate {
  maxUnavailable?: IntOrPercent;
  maxSurge?: IntOrPercent;
}

export interface StatefulSetSpec extends WorkloadSpec {
  volumeClaimTemplates?: VolumeClaimTemplate[];
  serviceName?: string;
  podManagementPolicy?: string;
  updateStrategy?: { type?: string; rollingUpdate?: { partition?: number; maxUnavailable?: IntOrPercent } };
  persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string };
  ordinals?: { start?: number };
}

export interface VolumeClaimTemplate {
  metadata?: { name?: string };
  spec?: ClaimSpec;
  status?: ClaimStatus;
}

/** The status counters of all workload kinds. Each kind has a subset of them. */
export interface WorkloadStatus {
  replicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  collisionCount?: number;
  observedGeneration?: Integer;
  [counter: string]: unknown;
}
