import { bool, bytes, field, int32, listOf, namedString, string, struct, time } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';

export const APIService = struct('apiregistration/v1.APIService', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, APIServiceSpec),
  status: field(3, APIServiceStatus),
}));

export type APIService = ObjectOf<typeof APIService>;

export const APIServiceSpec = struct('apiregistration/v1.APIServiceSpec', () => ({
  service: field(1, ServiceReference, { pointer: true }),
  group: field(2, string),
  version: field(3, string),
  insecureSkipTLSVerify: field(4, bool),
  caBundle: field(5, bytes, { list: 'atomic' }),
  groupPriorityMinimum: field(7, int32, { required: true, always: true }),
  versionPriority: field(8, int32, { required: true, always: true }),
}));

export type APIServiceSpec = TypeOf<typeof APIServiceSpec>;

export const ServiceReference = struct('apiregistration/v1.ServiceReference', () => ({
  namespace: field(1, string),
  name: field(2, string),
  port: field(3, int32, { pointer: true, defaulted: true }),
}));

export const APIServiceStatus = struct('apiregistration/v1.APIServiceStatus', () => ({
  conditions: field(1, listOf(APIServiceCondition), {
    list: ['type'],
    patch: { strategies: ['merge'], mergeKey: 'type' },
  }),
}));

export const APIServiceCondition = struct('apiregistration/v1.APIServiceCondition', () => ({
  type: field(1, namedString('apiregistration/v1.APIServiceConditionType'), { required: true, always: true }),
  status: field(2, namedString('apiregistration/v1.ConditionStatus'), { required: true, always: true }),
  lastTransitionTime: field(3, time),
  reason: field(4, string),
  message: field(5, string),
}));
