import type { ResourceRules } from '../../registry/resource-definition.ts';
import { validateEvent } from './event-validation.ts';

export const eventRules: Partial<ResourceRules> = {
  finalizers: 'any',
  metaErrors: 'last',
  dependents: 'none',
  validate: (event) => validateEvent(event, { controllerField: 'reportingComponent' }),
};
