import type { ResourceRules } from '../../registry/resource-definition.ts';

export const replicationControllerRules: Partial<ResourceRules> = {};
