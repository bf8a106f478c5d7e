import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineKind, defineReview, type KindDefinition } from '../define.ts';
import { SelfSubjectReview, TokenReview } from './review-types.ts';
import { TokenRequest } from './token-request-types.ts';

/** The `authentication.k8s.io` group: token reviews and token requests. `authn` answers them. */
const v1 = { group: 'authentication.k8s.io', version: 'v1' };

export const authenticationResources: readonly ResourceDefinition[] = [
  defineReview(v1, 'selfsubjectreviews', { schema: SelfSubjectReview, scope: 'cluster' }),
  defineReview(v1, 'tokenreviews', { schema: TokenReview, scope: 'cluster' }),
];

export const authenticationKinds: readonly KindDefinition[] = [defineKind(v1, TokenRequest)];
