import { field, listOf, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { TypeOf } from '../../schema/type-of.ts';
import { PodGroupTemplate } from './pod-group-types.ts';

export const Workload = struct('scheduling/v1alpha2.Workload', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, WorkloadSpec, { required: true, always: true }),
}));

export const WorkloadSpec = struct('scheduling/v1alpha2.WorkloadSpec', () => ({
  controllerRef: field(1, TypedLocalObjectReference, { pointer: true }),
  podGroupTemplates: field(2, listOf(PodGroupTemplate), { required: true, always: true, list: ['name'] }),
}));

export type WorkloadSpec = TypeOf<typeof WorkloadSpec>;

export const TypedLocalObjectReference = struct('scheduling/v1alpha2.TypedLocalObjectReference', () => ({
  apiGroup: field(1, string),
  kind: field(2, string, { required: true, always: true }),
  name: field(3, string, { required: true, always: true }),
}));
