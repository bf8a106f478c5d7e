import type { ResourceObject } from '../../meta/object.ts';
import { setPodTemplateDefaults } from '../core/pod/pod-spec-defaults.ts';
import type { DeploymentSpec } from './deployment-types.ts';
import { normalizeIntegerAnnotation } from './integer-annotation.ts';

/** Holds the revision to roll back to. */
export const rollbackAnnotation = 'deprecated.deployment.rollback.to';

export function setDeploymentDefaults(deployment: ResourceObject): void {
  const spec = (deployment.spec ?? {}) as DeploymentSpec;
  setPodTemplateDefaults(spec.template);
  spec.replicas ??= 1;
  const { strategy } = spec;
  if (strategy !== undefined) {
    strategy.type ??= 'RollingUpdate';
    if (strategy.type === 'RollingUpdate') {
      strategy.rollingUpdate ??= { maxUnavailable: undefined, maxSurge: undefined };
      strategy.rollingUpdate.maxUnavailable ??= '25%';
      strategy.rollingUpdate.maxSurge ??= '25%';
    }
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
  normalizeIntegerAnnotation(deployment, rollbackAnnotation);
}
