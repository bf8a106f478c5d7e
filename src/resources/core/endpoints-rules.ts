import type { ResourceRules } from '../../registry/resource-definition.ts';
import { endpointsWarnings, setEndpointsDefaults, validateEndpoints } from './service/endpoints.ts';

export const endpointsRules: Partial<ResourceRules> = {
  setDefaults: setEndpointsDefaults,
  validate: (object) => validateEndpoints(object),
  validateUpdate: validateEndpoints,
  warnings: endpointsWarnings,
};
