import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineKind, defineResource, type KindDefinition, status } from '../define.ts';
import { Eviction, PodDisruptionBudget } from './disruption-types.ts';
import { podDisruptionBudgetRules } from './pod-disruption-budget-rules.ts';

/** The `policy` group: disruption budgets for pods, and evictions, which respect the budgets. */
const v1 = { group: 'policy', version: 'v1' };

export const policyResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'poddisruptionbudgets', {
    schema: PodDisruptionBudget,
    shortNames: ['pdb'],
    subresources: [status],
    name: 'pathSegment',
    generation: true,
    unconditionalUpdate: false,
    ...podDisruptionBudgetRules,
  }),
];

export const policyKinds: readonly KindDefinition[] = [defineKind(v1, Eviction)];
