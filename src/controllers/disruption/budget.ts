import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectLabelSelector } from '../../meta/object-label-selector.ts';

export interface Budget extends ResourceObject {
  readonly spec?: {
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
    readonly selector?: ObjectLabelSelector;
  };
  readonly status?: BudgetStatus;
}

export interface BudgetStatus {
  readonly observedGeneration?: number;
  /** The eviction times of pods that have been evicted and still exist. */
  readonly disruptedPods?: Readonly<Record<string, string>>;
  readonly disruptionsAllowed?: number;
  readonly currentHealthy?: number;
  readonly desiredHealthy?: number;
  readonly expectedPods?: number;
  readonly conditions?: readonly Condition[];
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

export interface Pod extends ResourceObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}
