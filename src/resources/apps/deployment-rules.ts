import type { ResourceObject } from '../../meta/object.ts';
import { orderedMeta } from '../../registry/ordered-meta.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { dropUnservedIn } from '../core/pod/unserved-references.ts';
import { isSameValue } from '../validation/immutable.ts';
import { setDeploymentDefaults } from './deployment-defaults.ts';
import { validateDeployment, validateDeploymentStatus, validateDeploymentUpdate } from './deployment-validation.ts';
import { namedTemplateWarnings } from './template-warnings.ts';

export const deploymentRules: Partial<ResourceRules> = {
  generation: true,
  dropUnserved: dropUnservedIn('spec', 'template', 'spec'),
  setDefaults: setDeploymentDefaults,
  validate: validateDeployment,
  validateUpdate: validateDeploymentUpdate,
  validateStatus: validateDeploymentStatus,
  warnings: namedTemplateWarnings,
  prepareUpdate: countAnnotationChanges,
  prepareStatusUpdate: keepLabels,
};

/** Controllers copy the annotations to replica sets, so a change of annotations increments the generation. */
function countAnnotationChanges({ metadata }: ResourceObject, oldObject: ResourceObject): void {
  if (isSameValue(metadata.annotations ?? {}, oldObject.metadata.annotations ?? {})) return;
  metadata.generation = (oldObject.metadata.generation ?? 0) + 1;
}

function keepLabels(next: ResourceObject, { metadata: { labels } }: ResourceObject): void {
  next.metadata = orderedMeta({ ...next.metadata, labels });
}
