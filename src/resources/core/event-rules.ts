import type { ResourceRules } from '../../registry/resource-definition.ts';
import { validateEvent } from './event-validation.ts';

export const eventRules: Partial<ResourceRules> = {
  finalizers: 'any',
  createChecks: ['object'],
  updateChecks: ['object'],
  dependents: 'none',
  validate: (event) => validateEvent(event, { controllerField: 'reportingComponent' }),
};
