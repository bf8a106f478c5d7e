import { bool, field, listOf, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import { LocalObjectReference, ObjectReference } from './reference-types.ts';

export const ServiceAccount = struct('core/v1.ServiceAccount', () => ({
  metadata: field(1, ObjectMeta),
  secrets: field(2, listOf(ObjectReference), { list: ['name'], patch: { strategies: ['merge'], mergeKey: 'name' } }),
  imagePullSecrets: field(3, listOf(LocalObjectReference), { list: 'atomic' }),
  automountServiceAccountToken: field(4, bool, { pointer: true }),
}));
