/** Authentication and authorization, assembled from the options of the server. */

import { healthProbe, type ProxyHeaders, TokenIssuer } from '../../authn/index.ts';
import type { Authorizer } from '../../authz/index.ts';
import type { PublishedAuthentication } from '../../bootstrap/authentication-config-map.ts';
import { Authorization } from '../../http/filters/authorize.ts';
import { frontProxyName } from '../../pki/index.ts';
import { withCoreReviewRights } from '../../virtual/reviews/index.ts';
import type { KeyMaterial } from '../key-material.ts';
import type { ResolvedOptions } from '../options.ts';
import { apiAudiences, proxyHeaders } from './authentication.ts';
import { explainDenials } from './explain-denials.ts';
import type { Permissions } from './permissions.ts';

export { authentication, proxyHeaders } from './authentication.ts';
export { mayReviewAccess } from './may-review-access.ts';
export { loadPermissions, type Permissions } from './permissions.ts';

export function tokenIssuer(options: ResolvedOptions, { serviceAccountKeys: keys }: KeyMaterial): TokenIssuer {
  return new TokenIssuer({
    keys,
    now: () => options.clock.now(),
    identity: options.identity,
    issuer: options.serviceAccountIssuer[0]!,
    audiences: apiAudiences(options),
    maxExpirationSeconds: options.serviceAccountMaxTokenExpirationMs / 1000,
    extendExpiration: options.serviceAccountExtendTokenExpiration,
  });
}

export interface AuthorizationDependencies {
  readonly options: ResolvedOptions;
  readonly permissions: Permissions;
  /** Adds permissions for paths that kube-apiserver does not have. */
  readonly withRights: (authorizer: Authorizer) => Authorizer;
}

export function serverAuthorization({ options, permissions, withRights }: AuthorizationDependencies): Authorization {
  const { log } = options;
  const { modes, rbac } = permissions;
  return new Authorization(withRights(withCoreReviewRights(modes)), {
    exempt: healthProbe,
    ...(options.explainDenials && { onDenial: explainDenials({ authorizer: modes, rbac, log }) }),
  });
}

/** The trusted CAs and proxy headers that are published to other API servers. */
export function publishedTrust(options: ResolvedOptions, material: KeyMaterial): PublishedAuthentication {
  const { clientAuthorities, proxyAuthorities, frontProxy } = material;
  const ca = [proxyAuthorities?.pem, frontProxy?.ca.trimEnd()].filter((pem) => pem !== undefined);
  return {
    clientCa: `${clientAuthorities.pem}\n`,
    requestHeader:
      ca.length === 0 ? undefined : { clientCa: `${ca.join('\n')}\n`, ...publishedHeaders(options, material) },
  };
}

/** This server is one of the proxies. No names mean that any name of the CAs is accepted. */
function publishedHeaders(options: ResolvedOptions, { proxyAuthorities, frontProxy }: KeyMaterial): ProxyHeaders {
  const headers = proxyHeaders(options);
  if (frontProxy === undefined) return headers;
  const acceptsAny = proxyAuthorities !== undefined && headers.allowedNames.length === 0;
  return { ...headers, allowedNames: acceptsAny ? [] : [...new Set([...headers.allowedNames, frontProxyName])] };
}
