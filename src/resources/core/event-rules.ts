import type { ResourceRules } from '../../registry/resource-definition.ts';

export const eventRules: Partial<ResourceRules> = {};
