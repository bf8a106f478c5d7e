import type { ResourceRules } from '../../registry/resource-definition.ts';

export const resourceQuotaRules: Partial<ResourceRules> = {};
