import type { ResourceRules } from '../../registry/resource-definition.ts';

export const persistentVolumeClaimRules: Partial<ResourceRules> = {};
