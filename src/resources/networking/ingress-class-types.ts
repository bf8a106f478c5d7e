import { field, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';

export const IngressClass = struct('networking/v1.IngressClass', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, IngressClassSpec),
}));

export type IngressClass = ObjectOf<typeof IngressClass>;

export const IngressClassSpec = struct('networking/v1.IngressClassSpec', () => ({
  controller: field(1, string),
  parameters: field(2, IngressClassParametersReference, { pointer: true }),
}));

export type IngressClassSpec = TypeOf<typeof IngressClassSpec>;

export const IngressClassParametersReference = struct('networking/v1.IngressClassParametersReference', () => ({
  apiGroup: field(1, string, { pointer: true }),
  kind: field(2, string, { required: true, always: true }),
  name: field(3, string, { required: true, always: true }),
  scope: field(4, string, { pointer: true, always: true, defaulted: true }),
  namespace: field(5, string, { pointer: true }),
}));

export type IngressClassParametersReference = TypeOf<typeof IngressClassParametersReference>;
