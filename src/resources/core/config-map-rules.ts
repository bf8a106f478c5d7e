import type { ResourceRules } from '../../registry/resource-definition.ts';

export const configMapRules: Partial<ResourceRules> = {};
