import type { ResourceRules } from '../../registry/resource-definition.ts';

export const podRules: Partial<ResourceRules> = {};
