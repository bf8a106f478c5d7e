import type { ResourceRules } from '../../registry/resource-definition.ts';

export const persistentVolumeRules: Partial<ResourceRules> = {};
