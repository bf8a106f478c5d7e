import type { ResourceRules } from '../../registry/resource-definition.ts';

export const nodeRules: Partial<ResourceRules> = {};
