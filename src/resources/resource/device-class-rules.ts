import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import { dnsSubdomainByteErrors } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { Steps } from '../../meta/turns.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { isExtendedResource } from '../validation/resource-names.ts';
import type { DeviceClassSpec } from './device-class-types.ts';
import {
  maxConfigurations,
  selectorExpressions,
  validateConfiguration,
  validateSelectors,
} from './device-request-validation.ts';
import { checkSelectors } from './device-selectors.ts';
import { validateEach } from './list-checks.ts';

function* validate({ spec }: ResourceObject): Steps<FieldError[]> {
  const { selectors, config, extendedResourceName: name } = (spec as DeviceClassSpec | undefined) ?? {};
  const selectorErrors = yield* checkSelectors(selectorExpressions(selectors));
  const errors = [
    ...validateSelectors(selectors, 'spec.selectors', selectorErrors),
    ...validateEach(config, 'spec.config', { maximum: maxConfigurations, check: validateConfiguration }),
  ];
  if (name !== undefined && !isExtendedResource(name)) {
    errors.push(invalidValue('spec.extendedResourceName', name, 'must be a valid extended resource name'));
  }
  return errors;
}

export const deviceClassRules: Partial<ResourceRules> = {
  name: dnsSubdomainByteErrors,
  updateChecks: ['metadata', 'metadataChange', 'change'],
  validateSteps: validate,
};
