import { field, int32, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf } from '../../schema/type-of.ts';

export const Scale = struct('autoscaling/v1.Scale', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, ScaleSpec),
  status: field(3, ScaleStatus),
}));

export type Scale = ObjectOf<typeof Scale>;

export const ScaleSpec = struct('autoscaling/v1.ScaleSpec', () => ({
  replicas: field(1, int32),
}));

export const ScaleStatus = struct('autoscaling/v1.ScaleStatus', () => ({
  replicas: field(1, int32, { required: true, always: true }),
  selector: field(2, string),
}));
