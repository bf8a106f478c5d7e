import type { ResourceRules } from '../../registry/resource-definition.ts';

export const podTemplateRules: Partial<ResourceRules> = {};
