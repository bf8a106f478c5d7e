import {
  bytes,
  field,
  int32,
  listOf,
  mapOf,
  namedList,
  namedString,
  string,
  struct,
  time,
} from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';

export const CertificateSigningRequest = struct('certificates/v1.CertificateSigningRequest', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, CertificateSigningRequestSpec, { required: true, always: true }),
  status: field(3, CertificateSigningRequestStatus),
}));

export type CertificateSigningRequest = ObjectOf<typeof CertificateSigningRequest>;

export const CertificateSigningRequestSpec = struct('certificates/v1.CertificateSigningRequestSpec', () => ({
  request: field(1, bytes, { required: true, always: true }),
  signerName: field(7, string, { required: true, always: true }),
  expirationSeconds: field(8, int32, { pointer: true }),
  usages: field(5, listOf(namedString('certificates/v1.KeyUsage')), {
    enum: [
      'any',
      'cert sign',
      'client auth',
      'code signing',
      'content commitment',
      'crl sign',
      'data encipherment',
      'decipher only',
      'digital signature',
      'email protection',
      'encipher only',
      'ipsec end system',
      'ipsec tunnel',
      'ipsec user',
      'key agreement',
      'key encipherment',
      'microsoft sgc',
      'netscape sgc',
      'ocsp signing',
      's/mime',
      'server auth',
      'signing',
      'timestamping',
    ],
    list: 'atomic',
  }),
  username: field(2, string),
  uid: field(3, string),
  groups: field(4, listOf(string), { list: 'atomic' }),
  extra: field(6, mapOf(ExtraValue)),
}));

export type CertificateSigningRequestSpec = TypeOf<typeof CertificateSigningRequestSpec>;

export const ExtraValue = namedList('certificates/v1.ExtraValue', string);

export const CertificateSigningRequestStatus = struct('certificates/v1.CertificateSigningRequestStatus', () => ({
  conditions: field(1, listOf(CertificateSigningRequestCondition), { list: ['type'] }),
  certificate: field(2, bytes),
}));

export type CertificateSigningRequestStatus = TypeOf<typeof CertificateSigningRequestStatus>;

export const CertificateSigningRequestCondition = struct('certificates/v1.CertificateSigningRequestCondition', () => ({
  type: field(1, namedString('certificates/v1.RequestConditionType'), { required: true, always: true }),
  status: field(6, namedString('core/v1.ConditionStatus'), { required: true, always: true }),
  reason: field(2, string),
  message: field(3, string),
  lastUpdateTime: field(4, time),
  lastTransitionTime: field(5, time),
}));

export type CertificateSigningRequestCondition = TypeOf<typeof CertificateSigningRequestCondition>;
