import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineReview } from '../define.ts';
import { LocalSubjectAccessReview, SelfSubjectAccessReview, SubjectAccessReview } from './access-review-types.ts';
import {
  validateLocalSubjectAccessReview,
  validateSelfSubjectAccessReview,
  validateSubjectAccessReview,
} from './access-review-validation.ts';
import { SelfSubjectRulesReview } from './rules-review-types.ts';

/** The `authorization.k8s.io` group: access reviews. `authz` answers them. */
const v1 = { group: 'authorization.k8s.io', version: 'v1' };

export const authorizationResources: readonly ResourceDefinition[] = [
  defineReview(v1, 'localsubjectaccessreviews', {
    schema: LocalSubjectAccessReview,
    validate: validateLocalSubjectAccessReview,
  }),
  defineReview(v1, 'selfsubjectaccessreviews', {
    schema: SelfSubjectAccessReview,
    scope: 'cluster',
    validate: validateSelfSubjectAccessReview,
  }),
  defineReview(v1, 'selfsubjectrulesreviews', { schema: SelfSubjectRulesReview, scope: 'cluster' }),
  defineReview(v1, 'subjectaccessreviews', {
    schema: SubjectAccessReview,
    scope: 'cluster',
    validate: validateSubjectAccessReview,
  }),
];
