/**
 * Encryption at rest: values in storage in the encrypted forms of kube-apiserver, by an EncryptionConfiguration.
 * Storage keys and revisions are not changed.
 */
export { type EncryptionConfiguration, usesKms } from './configuration/encryption-configuration.ts';
export { parseEncryptionConfiguration } from './configuration/parse-encryption-configuration.ts';
export { Encryption } from './encryption.ts';
export type { BuiltInTypes } from './type-of-key.ts';
