import { field, int64, listOf, namedString, string, struct, time } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';

export const TokenRequest = struct('authentication/v1.TokenRequest', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, TokenRequestSpec, { always: true }),
  status: field(3, TokenRequestStatus),
}));

export type TokenRequest = ObjectOf<typeof TokenRequest>;

export const TokenRequestSpec = struct('authentication/v1.TokenRequestSpec', () => ({
  audiences: field(1, listOf(string), { always: true, list: 'atomic' }),
  expirationSeconds: field(4, int64, { pointer: true, always: true }),
  boundObjectRef: field(3, BoundObjectReference, { pointer: true, always: true }),
}));

export type TokenRequestSpec = TypeOf<typeof TokenRequestSpec>;

export const BoundObjectReference = struct('authentication/v1.BoundObjectReference', () => ({
  kind: field(1, string),
  apiVersion: field(2, string),
  name: field(3, string),
  uid: field(4, namedString('types.UID')),
}));

export const TokenRequestStatus = struct('authentication/v1.TokenRequestStatus', () => ({
  token: field(1, string, { always: true }),
  expirationTimestamp: field(2, time, { always: true }),
}));
