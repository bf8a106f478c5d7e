import { bool, field, listOf, mapOf, namedList, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { TypeOf } from '../../schema/type-of.ts';

export const TokenReview = struct('authentication/v1.TokenReview', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, TokenReviewSpec, { required: true, always: true }),
  status: field(3, TokenReviewStatus),
}));

export const TokenReviewSpec = struct('authentication/v1.TokenReviewSpec', () => ({
  token: field(1, string, { required: true }),
  audiences: field(2, listOf(string), { list: 'atomic' }),
}));

export const TokenReviewStatus = struct('authentication/v1.TokenReviewStatus', () => ({
  authenticated: field(1, bool),
  user: field(2, UserInfo),
  audiences: field(4, listOf(string), { list: 'atomic' }),
  error: field(3, string),
}));

export type TokenReviewStatus = TypeOf<typeof TokenReviewStatus>;

export const UserInfo = struct('authentication/v1.UserInfo', () => ({
  username: field(1, string),
  uid: field(2, string),
  groups: field(3, listOf(string), { list: 'atomic' }),
  extra: field(4, mapOf(ExtraValue)),
}));

export const ExtraValue = namedList('authentication/v1.ExtraValue', string);

export const SelfSubjectReview = struct('authentication/v1.SelfSubjectReview', () => ({
  metadata: field(1, ObjectMeta),
  status: field(2, SelfSubjectReviewStatus),
}));

export const SelfSubjectReviewStatus = struct('authentication/v1.SelfSubjectReviewStatus', () => ({
  userInfo: field(1, UserInfo),
}));
