import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
  tooLong,
} from '../../meta/field-error.ts';
import { dnsLabelErrors } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { validateDomainPrefixedPath } from '../validation/domain-prefixed-path.ts';
import { validateTypedReference } from './ingress-backend.ts';
import type { IngressClassParametersReference, IngressClassSpec } from './ingress-class-types.ts';

const scopes = ['Cluster', 'Namespace'];
const maxControllerLength = 250;

function specOf(object: ResourceObject): IngressClassSpec {
  return (object.spec as IngressClassSpec | undefined) ?? {};
}

function setDefaults(object: ResourceObject): void {
  const { parameters } = specOf(object);
  if (parameters !== undefined) parameters.scope ??= 'Cluster';
}

function validate(object: ResourceObject): FieldError[] {
  const { controller = '', parameters } = specOf(object);
  const errors = controller === '' ? [requiredValue('spec.controller')] : controllerErrors(controller);
  if (parameters !== undefined) errors.push(...parameterErrors(parameters));
  return errors;
}

function controllerErrors(controller: string): FieldError[] {
  const path = 'spec.controller';
  const errors: FieldError[] = [];
  if (Buffer.byteLength(controller) > maxControllerLength) errors.push(tooLong(path, maxControllerLength));
  errors.push(...validateDomainPrefixedPath(controller, path));
  return errors;
}

function parameterErrors(parameters: IngressClassParametersReference): FieldError[] {
  const path = 'spec.parameters';
  const { scope, namespace } = parameters;
  const errors = validateTypedReference(parameters, path);
  if (scope === undefined || scope === null) return [...errors, requiredValue(`${path}.scope`)];
  if (!scopes.includes(scope)) return [...errors, notSupportedValue(`${path}.scope`, scope, scopes)];
  if (scope === 'Cluster') {
    if (namespace !== undefined)
      errors.push(forbiddenValue(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'"));
  } else if (namespace === undefined) {
    errors.push(requiredValue(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'"));
  } else {
    for (const detail of dnsLabelErrors(namespace)) errors.push(invalidValue(`${path}.namespace`, namespace, detail));
  }
  return errors;
}

function validateUpdate(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const { controller = '' } = specOf(next);
  const isChanged = controller !== (specOf(oldObject).controller ?? '');
  return isChanged ? [invalidValue('spec.controller', controller, 'field is immutable')] : [];
}

export const ingressClassRules: Partial<ResourceRules> = {
  updateChecks: ['metadataChange', 'change', 'metadata', 'object'],
  setDefaults,
  validate,
  validateUpdate,
};
