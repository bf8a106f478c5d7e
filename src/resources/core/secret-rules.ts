import type { ResourceRules } from '../../registry/resource-definition.ts';

export const secretRules: Partial<ResourceRules> = {};
