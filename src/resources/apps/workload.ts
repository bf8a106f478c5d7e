import type { DeploymentSpec, DeploymentStatus } from './deployment-types.ts';

/** The fields that the specs of several workload kinds share. */
export type WorkloadSpec = Pick<
  DeploymentSpec,
  'replicas' | 'minReadySeconds' | 'selector' | 'template' | 'revisionHistoryLimit'
>;

/** The counters in the status of all workload kinds. Each kind has a subset of them. */
export type WorkloadStatus = Pick<
  DeploymentStatus,
  'replicas' | 'readyReplicas' | 'availableReplicas' | 'collisionCount' | 'observedGeneration'
> &
  Record<string, unknown>;
