import type { FieldError } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { restoreAnnotated } from './annotated-fields.ts';
import { autoscalerToStored } from './horizontal-pod-autoscaler-conversion.ts';
import { setAutoscalerDefaults, setAutoscalerV1Defaults } from './horizontal-pod-autoscaler-defaults.ts';
import { validateAutoscaler, validateAutoscalerStatus } from './horizontal-pod-autoscaler-validation.ts';

export const autoscalerRules = {
  setDefaults: setAutoscalerDefaults,
  validate: (object: ResourceObject): FieldError[] => validateAutoscaler(object),
  validateUpdate: validateAutoscaler,
  validateStatus: validateAutoscalerStatus,
};

/**
 * v1 objects are validated after conversion to v2, so errors name the fields of v2. Their annotations belong to the
 * spec or the status, like the fields that they stand for.
 */
export const autoscalerV1Rules = {
  setDefaults: setAutoscalerV1Defaults,
  prepareCreate: (object) => restoreAnnotated('status', object),
  prepareUpdate: (next, oldObject) => restoreAnnotated('status', next, oldObject),
  prepareStatusUpdate: (next, oldObject) => restoreAnnotated('spec', next, oldObject),
  validate: (object: ResourceObject): FieldError[] => validateAutoscaler(autoscalerToStored(object)),
  validateUpdate: (next: ResourceObject, oldObject: ResourceObject): FieldError[] =>
    validateAutoscaler(autoscalerToStored(next), autoscalerToStored(oldObject)),
  validateStatus: validateAutoscalerStatus,
} satisfies Partial<ResourceRules>;
