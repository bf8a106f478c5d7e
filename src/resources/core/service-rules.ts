import type { ResourceRules } from '../../registry/resource-definition.ts';
import { validateServiceStatus } from './service/load-balancer-validation.ts';
import { setServiceDefaults } from './service/service-defaults.ts';
import { prepareServiceCreate, prepareServiceUpdate } from './service/service-preparation.ts';
import { validateServiceUpdate } from './service/service-update.ts';
import { validateService } from './service/service-validation.ts';
import { serviceWarnings } from './service/service-warnings.ts';

export const serviceRules: Partial<ResourceRules> = {
  setDefaults: setServiceDefaults,
  updateChecks: ['metadataChange', 'change', 'metadata', 'object'],
  validate: validateService,
  validateUpdate: validateServiceUpdate,
  validateStatus: validateServiceStatus,
  warnings: serviceWarnings,
  prepareCreate: prepareServiceCreate,
  prepareUpdate: prepareServiceUpdate,
};
