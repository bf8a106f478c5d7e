import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { dropUnservedIn } from '../core/pod/unserved-references.ts';
import { setStatefulSetDefaults } from './stateful-set-defaults.ts';
import type { StatefulSetSpec } from './stateful-set-types.ts';
import {
  validateStatefulSet,
  validateStatefulSetStatus,
  validateStatefulSetUpdate,
} from './stateful-set-validation.ts';
import { isChanged, templateWarnings } from './template-warnings.ts';
import { claimTemplateWarnings } from './volume-claim-templates.ts';

export const statefulSetRules: Partial<ResourceRules> = {
  // Pods carry the name of their stateful set in a label.
  name: 'dnsLabel',
  generation: true,
  dropUnserved: dropUnservedIn('spec', 'template', 'spec'),
  setDefaults: setStatefulSetDefaults,
  validate: validateStatefulSet,
  validateUpdate: validateStatefulSetUpdate,
  validateStatus: validateStatefulSetStatus,
  warnings: statefulSetWarnings,
  prepareCreate: dropMaxUnavailable,
  prepareUpdate: dropMaxUnavailable,
};

/** The field belongs to a feature that is disabled. */
function dropMaxUnavailable({ spec }: ResourceObject): void {
  const rollingUpdate = (spec as StatefulSetSpec | undefined)?.updateStrategy?.rollingUpdate;
  if (rollingUpdate !== undefined) delete rollingUpdate.maxUnavailable;
}

function statefulSetWarnings(object: ResourceObject, oldObject: ResourceObject | undefined): string[] {
  const { revisionHistoryLimit = 0, volumeClaimTemplates = [] } = (object.spec ?? {}) as StatefulSetSpec;
  const warnings = templateWarnings(object, oldObject);
  if (isChanged(object, oldObject)) {
    warnings.push(...claimTemplateWarnings(volumeClaimTemplates, 'spec.volumeClaimTemplates'));
  }
  if (revisionHistoryLimit < 0) {
    const advice = 'a negative value retains all historical revisions; a value >= 0 is recommended';
    warnings.push(`spec.revisionHistoryLimit: ${advice}`);
  }
  return warnings;
}
