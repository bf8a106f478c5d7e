import type { KeyObject } from 'node:crypto';
import type { GroupResource } from '../../meta/group-version.ts';

/** A key of the configuration. The secret is a key object, which no log or error can print. */
export interface EncryptionKey {
  readonly name: string;
  readonly secret: KeyObject;
}

export interface KeyedProviderConfiguration {
  readonly type: 'aesgcm' | 'aescbc' | 'secretbox';
  /** The first key encrypts; all keys decrypt. */
  readonly keys: readonly EncryptionKey[];
}

export interface KmsConfiguration {
  readonly type: 'kms';
  readonly name: string;
  /** The path of the unix socket. One that begins with `@` is an abstract socket of Linux. */
  readonly socket: string;
  /** The timeout of one call. */
  readonly timeoutMs: number;
}

export type ProviderConfiguration = KeyedProviderConfiguration | KmsConfiguration | { readonly type: 'identity' };

/** Providers for some resources. The first provider encrypts; all decrypt. */
export interface EncryptionRule {
  /** A `*` matches any resource of the group, or any group. */
  readonly resources: readonly GroupResource[];
  readonly providers: readonly ProviderConfiguration[];
}

export type EncryptionConfiguration = readonly EncryptionRule[];

/** Whether any key comes from a key management service. */
export function usesKms(configuration: EncryptionConfiguration): boolean {
  return configuration.some(({ providers }) => providers.some(({ type }) => type === 'kms'));
}
