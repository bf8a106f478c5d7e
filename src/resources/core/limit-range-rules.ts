import type { ResourceRules } from '../../registry/resource-definition.ts';

export const limitRangeRules: Partial<ResourceRules> = {};
