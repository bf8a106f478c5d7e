import { bool, field, listOf, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';

export const SelfSubjectRulesReview = struct('authorization/v1.SelfSubjectRulesReview', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, SelfSubjectRulesReviewSpec, { required: true, always: true }),
  status: field(3, SubjectRulesReviewStatus),
}));

export const SelfSubjectRulesReviewSpec = struct('authorization/v1.SelfSubjectRulesReviewSpec', () => ({
  namespace: field(1, string),
}));

export const SubjectRulesReviewStatus = struct('authorization/v1.SubjectRulesReviewStatus', () => ({
  resourceRules: field(1, listOf(ResourceRule), { required: true, always: true, list: 'atomic' }),
  nonResourceRules: field(2, listOf(NonResourceRule), { required: true, always: true, list: 'atomic' }),
  incomplete: field(3, bool, { required: true, always: true }),
  evaluationError: field(4, string),
}));

export const ResourceRule = struct('authorization/v1.ResourceRule', () => ({
  verbs: field(1, listOf(string), { required: true, always: true, list: 'atomic' }),
  apiGroups: field(2, listOf(string), { list: 'atomic' }),
  resources: field(3, listOf(string), { list: 'atomic' }),
  resourceNames: field(4, listOf(string), { list: 'atomic' }),
}));

export const NonResourceRule = struct('authorization/v1.NonResourceRule', () => ({
  verbs: field(1, listOf(string), { required: true, always: true, list: 'atomic' }),
  nonResourceURLs: field(2, listOf(string), { list: 'atomic' }),
}));
