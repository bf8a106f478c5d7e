import type { ResourceObject } from '../../meta/object.ts';
import type { PodTemplate } from '../core/pod/pod-shapes.ts';
import type { LabelSelectorValue } from '../validation/label-selectors.ts';

// The fields of jobs that their rules read.

export interface ExitCodesRequirement {
  containerName?: string;
  operator?: string;
  values?: number[] | null;
}

export interface PodConditionPattern {
  type?: string;
  status?: string;
}

export interface FailureRule {
  action?: string;
  onExitCodes?: ExitCodesRequirement;
  onPodConditions?: PodConditionPattern[];
}

export interface SuccessRule {
  succeededIndexes?: string;
  succeededCount?: number;
}

export interface JobSpec {
  parallelism?: number;
  completions?: number;
  activeDeadlineSeconds?: number;
  podFailurePolicy?: { rules?: FailureRule[] | null };
  successPolicy?: { rules?: SuccessRule[] | null };
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  selector?: LabelSelectorValue;
  manualSelector?: boolean;
  template?: PodTemplate;
  ttlSecondsAfterFinished?: number;
  completionMode?: string;
  suspend?: boolean;
  podReplacementPolicy?: string;
  managedBy?: string;
}

interface JobCondition {
  type?: string;
  status?: string;
}

export interface JobStatus {
  conditions?: JobCondition[];
  startTime?: string;
  completionTime?: string;
  active?: number;
  succeeded?: number;
  failed?: number;
  terminating?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: { succeeded?: string[]; failed?: string[] };
  ready?: number;
}

export interface Job extends ResourceObject {
  spec?: JobSpec;
  status?: JobStatus;
}

export const isIndexed = ({ completionMode }: JobSpec): boolean => completionMode === 'Indexed';
