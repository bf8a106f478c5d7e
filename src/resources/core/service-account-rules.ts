import type { ResourceRules } from '../../registry/resource-definition.ts';

export const serviceAccountRules: Partial<ResourceRules> = {};
