import { type FieldError, requiredValue } from '../../meta/field-error.ts';
import { dnsSubdomainByteErrors } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { validateControlledTemplate } from '../apps/controlled-template.ts';
import { validateReplicaSetStatus } from '../apps/replica-set-rules.ts';
import { namedTemplateWarnings } from '../apps/template-warnings.ts';
import { validateNonNegative } from '../validation/numbers.ts';
import { setPodTemplateDefaults } from './pod/pod-spec-defaults.ts';
import { dropUnservedIn } from './pod/unserved-references.ts';
import type { ReplicationControllerSpec } from './replication-controller-types.ts';

export const replicationControllerRules: Partial<ResourceRules> = {
  // Only the name itself is checked, not a prefix of it.
  name: (name, { prefix = false } = {}) => (prefix ? [] : dnsSubdomainByteErrors(name)),
  dropUnserved: dropUnservedIn('spec', 'template', 'spec'),
  setDefaults: setReplicationControllerDefaults,
  validate: validateReplicationController,
  validateStatus: validateReplicaSetStatus,
  // Unlike for a replica set, updates have no warnings.
  warnings: (object, oldObject) => (oldObject === undefined ? namedTemplateWarnings(object, undefined) : []),
  dependents: 'kept',
};

/** Selector and labels default to the labels of the template. */
function setReplicationControllerDefaults({ spec = {}, metadata }: ResourceObject): void {
  const controller = spec as ReplicationControllerSpec;
  setPodTemplateDefaults(controller.template);
  const labels = controller.template?.metadata?.labels;
  if (labels !== undefined) {
    controller.selector ??= { ...labels };
    metadata.labels ??= { ...labels };
  }
  controller.replicas ??= 1;
}

function validateReplicationController({ spec = {} }: ResourceObject): FieldError[] {
  const controller = spec as ReplicationControllerSpec;
  return [
    ...validateNonNegative(controller.minReadySeconds, 'spec.minReadySeconds'),
    ...(Object.keys(controller.selector ?? {}).length === 0 ? [requiredValue('spec.selector')] : []),
    ...validateNonNegative(controller.replicas, 'spec.replicas'),
    ...validateTemplate(controller),
  ];
}

function validateTemplate({ selector = {}, template }: ReplicationControllerSpec): FieldError[] {
  if (template === undefined) return [requiredValue('spec.template')];
  const owner = { selector: { matchLabels: selector }, kind: 'ReplicationController' };
  return validateControlledTemplate(template, 'spec.template', owner);
}
