import { bool, field, listOf, mapOf, namedList, string, struct } from '../../schema/builders.ts';
import { FieldSelectorRequirement, LabelSelectorRequirement, ObjectMeta } from '../../schema/meta-types.ts';
import type { TypeOf } from '../../schema/type-of.ts';

export const SubjectAccessReview = struct('authorization/v1.SubjectAccessReview', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, SubjectAccessReviewSpec, { required: true, always: true }),
  status: field(3, SubjectAccessReviewStatus),
}));

export const SubjectAccessReviewSpec = struct('authorization/v1.SubjectAccessReviewSpec', () => ({
  resourceAttributes: field(1, ResourceAttributes, { pointer: true }),
  nonResourceAttributes: field(2, NonResourceAttributes, { pointer: true }),
  user: field(3, string),
  groups: field(4, listOf(string), { list: 'atomic' }),
  extra: field(5, mapOf(ExtraValue)),
  uid: field(6, string),
}));

export type SubjectAccessReviewSpec = TypeOf<typeof SubjectAccessReviewSpec>;

export const ResourceAttributes = struct('authorization/v1.ResourceAttributes', () => ({
  namespace: field(1, string),
  verb: field(2, string),
  group: field(3, string),
  version: field(4, string),
  resource: field(5, string),
  subresource: field(6, string),
  name: field(7, string),
  fieldSelector: field(8, FieldSelectorAttributes, { pointer: true }),
  labelSelector: field(9, LabelSelectorAttributes, { pointer: true }),
}));

export type ResourceAttributes = TypeOf<typeof ResourceAttributes>;

export const FieldSelectorAttributes = struct('authorization/v1.FieldSelectorAttributes', () => ({
  rawSelector: field(1, string),
  requirements: field(2, listOf(FieldSelectorRequirement), { list: 'atomic' }),
}));

export type FieldSelectorAttributes = TypeOf<typeof FieldSelectorAttributes>;

export const LabelSelectorAttributes = struct('authorization/v1.LabelSelectorAttributes', () => ({
  rawSelector: field(1, string),
  requirements: field(2, listOf(LabelSelectorRequirement), { list: 'atomic' }),
}));

export const NonResourceAttributes = struct('authorization/v1.NonResourceAttributes', () => ({
  path: field(1, string),
  verb: field(2, string),
}));

export const ExtraValue = namedList('authorization/v1.ExtraValue', string);

export const SubjectAccessReviewStatus = struct('authorization/v1.SubjectAccessReviewStatus', () => ({
  allowed: field(1, bool, { required: true, always: true }),
  denied: field(4, bool),
  reason: field(2, string),
  evaluationError: field(3, string),
}));

export const LocalSubjectAccessReview = struct('authorization/v1.LocalSubjectAccessReview', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, SubjectAccessReviewSpec, { required: true, always: true }),
  status: field(3, SubjectAccessReviewStatus),
}));

export const SelfSubjectAccessReview = struct('authorization/v1.SelfSubjectAccessReview', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, SelfSubjectAccessReviewSpec, { required: true, always: true }),
  status: field(3, SubjectAccessReviewStatus),
}));

export const SelfSubjectAccessReviewSpec = struct('authorization/v1.SelfSubjectAccessReviewSpec', () => ({
  resourceAttributes: field(1, ResourceAttributes, { pointer: true }),
  nonResourceAttributes: field(2, NonResourceAttributes, { pointer: true }),
}));
