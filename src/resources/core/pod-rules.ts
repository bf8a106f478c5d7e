import type { ResourceRules } from '../../registry/resource-definition.ts';
import { setPodDefaults } from './pod/pod-defaults.ts';

export const podRules: Partial<ResourceRules> = {
  setDefaults: setPodDefaults,
};
