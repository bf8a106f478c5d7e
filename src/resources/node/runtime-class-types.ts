import { field, listOf, mapOf, quantity, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf } from '../../schema/type-of.ts';
import { Toleration } from '../core/scheduling-types.ts';

export const RuntimeClass = struct('node/v1.RuntimeClass', () => ({
  metadata: field(1, ObjectMeta),
  handler: field(2, string, { required: true, always: true }),
  overhead: field(3, Overhead, { pointer: true }),
  scheduling: field(4, Scheduling, { pointer: true }),
}));

export type RuntimeClass = ObjectOf<typeof RuntimeClass>;

export const Overhead = struct('node/v1.Overhead', () => ({
  podFixed: field(1, mapOf(quantity)),
}));

export const Scheduling = struct('node/v1.Scheduling', () => ({
  nodeSelector: field(1, mapOf(string), { map: 'atomic' }),
  tolerations: field(2, listOf(Toleration), { list: 'atomic' }),
}));
