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
  validateUpdate: validateReplicationControllerUpdate,
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
  return [...validateSelection(controller), ...validateNumbers(controller)];
}

function validateSelection({ selector = {}, template }: ReplicationControllerSpec): FieldError[] {
  const errors = Object.keys(selector).length === 0 ? [requiredValue('spec.selector')] : [];
  if (template === undefined) errors.push(requiredValue('spec.template'));
  else {
    const owner = { selector: { matchLabels: selector }, kind: 'ReplicationController' };
    errors.push(...validateControlledTemplate(template, 'spec.template', owner));
  }
  return errors;
}

/** On updates, these errors are reported last and only once. */
function validateNumbers({ replicas, minReadySeconds }: ReplicationControllerSpec): FieldError[] {
  return [
    ...validateNonNegative(replicas, 'spec.replicas'),
    ...validateNonNegative(minReadySeconds, 'spec.minReadySeconds'),
  ];
}

/** On updates, kube-apiserver validates selector and template twice and reports their errors twice. */
function validateReplicationControllerUpdate({ spec = {} }: ResourceObject): FieldError[] {
  const controller = spec as ReplicationControllerSpec;
  const errors = validateSelection(controller);
  return [...errors, ...errors, ...validateNumbers(controller)];
}
