import type { ResourceRules } from '../../registry/resource-definition.ts';

export const serviceRules: Partial<ResourceRules> = {};
