import type { ResourceRules } from '../../registry/resource-definition.ts';

export const endpointsRules: Partial<ResourceRules> = {};
