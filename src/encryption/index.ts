/**
 * Encryption at rest: values in storage in the encrypted forms of kube-apiserver, by an EncryptionConfiguration. Keys
 * of storage and revisions stay as they are.
 */
export { type EncryptionConfiguration, usesKms } from './configuration/encryption-configuration.ts';
export { parseEncryptionConfiguration } from './configuration/parse-encryption-configuration.ts';
export { Encryption } from './encryption.ts';
export type { BuiltInTypes } from './type-of-key.ts';
