import type { ProxyHeaders } from '../authn/index.ts';
import type { Client } from '../client/index.ts';
import { isJsonEqual } from '../meta/json-object.ts';
import type { ResourceObject } from '../meta/object.ts';
import { ensureSystemNamespaces } from './bootstrap-objects.ts';
import { combinedTrust } from './combined-trust.ts';
import { lookUpAndEnsureObject, type Reconciliation } from './ensure-object.ts';

/** How the server trusts a proxy that authenticates users. */
export interface RequestHeaderTrust extends ProxyHeaders {
  /** The CA (PEM) of the proxy's client certificate. */
  readonly clientCa: string;
}

export interface PublishedAuthentication {
  /** One or more CAs (PEM) of client certificates. */
  readonly clientCa?: string | undefined;
  readonly requestHeader?: RequestHeaderTrust | undefined;
}

interface ConfigMap extends ResourceObject {
  data?: Readonly<Record<string, string>>;
}

/** The keys in the config map that the server owns. */
const ownKey = /^(client-ca-file|requestheader-.*)$/;

/**
 * Writes the config map with the CAs that extension API servers must trust. Keys that the server no longer needs are
 * removed. Idempotent; must be called again when the trust changes. With `isShared`, other servers publish their CAs in
 * the same object, and their entries are kept.
 */
export async function ensureAuthenticationConfigMap(
  client: Client,
  trust: PublishedAuthentication,
  { isShared = false }: { readonly isShared?: boolean } = {},
): Promise<void> {
  await ensureSystemNamespaces(client);
  const reference = { group: '', version: 'v1', resource: 'configmaps' };
  await lookUpAndEnsureObject<ConfigMap>({
    objects: client.resource<ConfigMap>(reference, 'kube-system'),
    desired: { metadata: { name: 'extension-apiserver-authentication' }, data: published(trust) },
    reconcile: (current, desired) => reconcile(current, isShared ? withOthers(current, desired) : desired),
  });
}

function withOthers({ data = {} }: ConfigMap, desired: ConfigMap): ConfigMap {
  const published = Object.fromEntries(Object.entries(data).filter(([key]) => ownKey.test(key)));
  return { ...desired, data: combinedTrust(published, desired.data ?? {}) };
}

function reconcile(current: ConfigMap, desired: ConfigMap): Reconciliation<ConfigMap> {
  const others = Object.entries(current.data ?? {}).filter(([key]) => !ownKey.test(key));
  const data = { ...Object.fromEntries(others), ...desired.data };
  return isJsonEqual(data, current.data ?? {}) ? 'keep' : { ...current, data };
}

function published({ clientCa, requestHeader }: PublishedAuthentication): Record<string, string> {
  return {
    ...(clientCa && { 'client-ca-file': clientCa }),
    ...(requestHeader && {
      'requestheader-allowed-names': JSON.stringify(requestHeader.allowedNames),
      'requestheader-client-ca-file': requestHeader.clientCa,
      'requestheader-extra-headers-prefix': JSON.stringify(requestHeader.extraHeaderPrefixes),
      'requestheader-group-headers': JSON.stringify(requestHeader.groupHeaders),
      ...(requestHeader.uidHeaders.length > 0 && {
        'requestheader-uid-headers': JSON.stringify(requestHeader.uidHeaders),
      }),
      'requestheader-username-headers': JSON.stringify(requestHeader.usernameHeaders),
    }),
  };
}
