import type { ResourceRules } from '../../registry/resource-definition.ts';
import { endpointsWarnings, setEndpointsDefaults, validateEndpoints } from './service/endpoints.ts';

export const endpointsRules: Partial<ResourceRules> = {
  deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  setDefaults: setEndpointsDefaults,
  updateChecks: ['metadataChange', 'metadata', 'object'],
  validate: validateEndpoints,
  warnings: endpointsWarnings,
};
