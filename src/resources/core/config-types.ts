import { bool, bytes, field, mapOf, namedString, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';

export const ConfigMap = struct('core/v1.ConfigMap', () => ({
  metadata: field(1, ObjectMeta),
  immutable: field(4, bool, { pointer: true }),
  data: field(2, mapOf(string)),
  binaryData: field(3, mapOf(bytes)),
}));

export const Secret = struct('core/v1.Secret', () => ({
  metadata: field(1, ObjectMeta),
  immutable: field(5, bool, { pointer: true }),
  data: field(2, mapOf(bytes), { defaulted: true }),
  stringData: field(4, mapOf(string)),
  type: field(3, namedString('core/v1.SecretType'), { defaulted: true }),
}));
