import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { setPodTemplateDefaults } from '../core/pod/pod-spec-defaults.ts';
import { dropUnservedIn } from '../core/pod/unserved-references.ts';
import type { DaemonSetSpec } from './daemon-set-types.ts';
import { validateDaemonSet, validateDaemonSetStatus, validateDaemonSetUpdate } from './daemon-set-validation.ts';
import {
  incrementTemplateGeneration,
  initializeTemplateGeneration,
  isTemplateChanged,
  keepTemplateGeneration,
  setTemplateGenerationDefault,
} from './template-generation.ts';
import { templateWarnings } from './template-warnings.ts';

export const daemonSetRules: Partial<ResourceRules> = {
  generation: true,
  dropUnserved: dropUnservedIn('spec', 'template', 'spec'),
  setDefaults: setDaemonSetDefaults,
  validate: validateDaemonSet,
  validateUpdate: validateDaemonSetUpdate,
  validateStatus: validateDaemonSetStatus,
  warnings: (object, oldObject) =>
    oldObject === undefined || isTemplateChanged(object, oldObject) ? templateWarnings(object, oldObject) : [],
  prepareCreate: initializeTemplateGeneration,
  prepareUpdate: incrementTemplateGeneration,
  prepareStatusUpdate: keepTemplateGeneration,
};

function setDaemonSetDefaults(daemonSet: ResourceObject): void {
  const spec = (daemonSet.spec ?? {}) as DaemonSetSpec;
  setPodTemplateDefaults(spec.template);
  const { updateStrategy } = spec;
  if (updateStrategy !== undefined) {
    updateStrategy.type ??= 'RollingUpdate';
    if (updateStrategy.type === 'RollingUpdate') {
      updateStrategy.rollingUpdate ??= { maxUnavailable: undefined, maxSurge: undefined };
      updateStrategy.rollingUpdate.maxUnavailable ??= 1;
      updateStrategy.rollingUpdate.maxSurge ??= 0;
    }
  }
  spec.revisionHistoryLimit ??= 10;
  setTemplateGenerationDefault(daemonSet);
}
