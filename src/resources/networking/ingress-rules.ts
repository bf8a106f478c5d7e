import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import {
  classAnnotation,
  validateClassAnnotation,
  validateIngress,
  validateIngressStatus,
} from './ingress-validation.ts';

function warnings({ metadata }: ResourceObject, oldObject: ResourceObject | undefined): string[] {
  if (oldObject !== undefined || metadata.annotations?.[classAnnotation] === undefined) return [];
  return [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`];
}

export const ingressRules: Partial<ResourceRules> = {
  createChecks: ['metadata', 'object', 'creation'],
  updateChecks: ['metadataChange', 'metadata', 'object'],
  validate: validateIngress,
  validateCreate: validateClassAnnotation,
  validateStatus: validateIngressStatus,
  warnings,
};
