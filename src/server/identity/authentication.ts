import { AnonymousAuthenticator } from '../../authn/anonymous.ts';
import { BearerTokenAuthenticator } from '../../authn/bearer-token.ts';
import { BootstrapTokenAuthenticator } from '../../authn/bootstrap-token.ts';
import type { CertificateAuthorities } from '../../authn/certificate-authorities.ts';
import { configurationOfOidcFlags, parseAuthenticationConfiguration } from '../../authn/config/index.ts';
import { FrontProxyAuthenticator } from '../../authn/front-proxy.ts';
import {
  AuthenticationChain,
  type Authenticator,
  ClientCertificateAuthenticator,
  ServiceAccountTokenAuthenticator,
} from '../../authn/index.ts';
import { JwtAuthenticator } from '../../authn/jwt/index.ts';
import { loopbackHealth } from '../../authn/loopback-health.ts';
import type { TokenAuthenticator } from '../../authn/token-authenticator.ts';
import { TokenChain } from '../../authn/token-chain.ts';
import { TokenFile } from '../../authn/token-file.ts';
import { WebhookTokenAuthenticator } from '../../authn/webhook/index.ts';
import { JsonEndpoint } from '../../client/json-endpoint.ts';
import { readKubeconfig } from '../../client/kubeconfig.ts';
import { isHealthPath } from '../../http/health/index.ts';
import type { ResourceSet } from '../../registry/index.ts';
import { followFile } from '../files/follow-file.ts';
import { readOptionFile } from '../files/read-option-file.ts';
import type { ResolvedOptions } from '../options.ts';
import type { ServingMaterial } from '../serving-material.ts';

export interface AuthenticationParts {
  readonly options: ResolvedOptions;
  readonly resources: ResourceSet;
  readonly material: ServingMaterial;
  /** Ends what follows files and keeps connections. */
  readonly signal: AbortSignal;
}

export interface Authentication {
  readonly chain: AuthenticationChain;
  readonly tokens: TokenChain;
}

/** Everybody who can say who makes a request, in the order in which they are asked. Rejects with a RangeError. */
export async function authentication(parts: AuthenticationParts): Promise<Authentication> {
  const { options } = parts;
  const { clientAuthorities, proxyAuthorities } = parts.material;
  const configured = new ConfiguredIssuers(parts);
  const tokens = new TokenChain(await tokenAuthenticators(parts, configured.issuers), {
    audiences: apiAudiences(options),
    onFault: (err) => options.log.error('a token could not be checked', { err }),
  });
  await configured.follow(tokens);
  const chain = new AuthenticationChain([
    ...(proxyAuthorities === undefined ? [] : [frontProxy(options, proxyAuthorities)]),
    new ClientCertificateAuthenticator({ authorities: clientAuthorities }),
    new BearerTokenAuthenticator(tokens, { onRefused: (reason) => options.log.info('token refused', { reason }) }),
    loopbackHealth(isHealthPath),
    configured.anonymous,
  ]);
  return { chain, tokens };
}

/** Of this server: for whom tokens are that do not say it. */
export function apiAudiences({ apiAudiences: given, serviceAccountIssuer }: ResolvedOptions): readonly string[] {
  return given.length > 0 ? given : serviceAccountIssuer;
}

function frontProxy(options: ResolvedOptions, authorities: CertificateAuthorities): FrontProxyAuthenticator {
  return new FrontProxyAuthenticator({
    authorities,
    allowedNames: options.requestheaderAllowedNames,
    usernameHeaders: options.requestheaderUsernameHeaders,
    groupHeaders: options.requestheaderGroupHeaders,
    uidHeaders: options.requestheaderUidHeaders,
    extraHeaderPrefixes: options.requestheaderExtraHeadersPrefix,
  });
}

async function tokenAuthenticators(
  { options, resources, material: { serviceAccountKeys: keys }, signal }: AuthenticationParts,
  jwt: JwtAuthenticator,
): Promise<TokenAuthenticator[]> {
  const { tokenAuthFile, serviceAccountIssuer: issuers, authenticationTokenWebhookConfigFile: webhook } = options;
  const audiences = apiAudiences(options);
  const found: TokenAuthenticator[] = [];
  if (tokenAuthFile !== undefined) {
    const warn = (text: string): void => options.log.info(text, { file: tokenAuthFile });
    found.push(new TokenFile(await readOptionFile('token-auth-file', tokenAuthFile), { warn }));
  }
  found.push(new ServiceAccountTokenAuthenticator({ keys, issuers, audiences, objects: resources }));
  if (options.enableBootstrapTokenAuth) found.push(new BootstrapTokenAuthenticator({ objects: resources }));
  found.push(jwt);
  if (webhook !== undefined) {
    const endpoint = new JsonEndpoint(readKubeconfig(webhook));
    signal.addEventListener('abort', () => endpoint.close(), { once: true });
    found.push(
      new WebhookTokenAuthenticator({
        endpoint,
        version: options.authenticationTokenWebhookVersion,
        cacheMs: options.authenticationTokenWebhookCacheTtlMs,
        audiences,
      }),
    );
  }
  return found;
}

/** What a configuration file says, which may change: whose tokens are accepted, and who needs none. */
class ConfiguredIssuers {
  readonly issuers = new JwtAuthenticator([]);
  /** Asks whoever counts at the moment. */
  readonly anonymous: Authenticator = {
    withoutCredentials: true,
    authenticate: (credentials) => this.#anonymous?.authenticate(credentials),
  };
  readonly #parts: AuthenticationParts;
  #anonymous: AnonymousAuthenticator | undefined;

  constructor(parts: AuthenticationParts) {
    this.#parts = parts;
    this.#anonymous = parts.options.anonymousAuth ? new AnonymousAuthenticator() : undefined;
  }

  async follow(tokens: TokenChain): Promise<void> {
    const { options, signal } = this.#parts;
    const { log, authenticationConfig } = options;
    if (authenticationConfig === undefined) return this.#fromFlags();
    await followFile(authenticationConfig, {
      onContent: (content) => {
        this.#fromFile(content);
        tokens.forget();
      },
      onError: (err) => log.error('authentication configuration not reloaded', { file: authenticationConfig, err }),
      signal,
    }).catch((error: Error) => {
      throw error instanceof RangeError
        ? error
        : new RangeError(`authentication-config: ${error.message}`, { cause: error });
    });
  }

  async #fromFlags(): Promise<void> {
    const { options } = this.#parts;
    const { oidcIssuerUrl, oidcCaFile } = options;
    if (oidcIssuerUrl === undefined) return;
    const ca = oidcCaFile === undefined ? undefined : await readOptionFile('oidc-ca-file', oidcCaFile);
    const issuer = configurationOfOidcFlags(
      {
        issuerUrl: oidcIssuerUrl,
        requiredClaims: options.oidcRequiredClaim,
        signingAlgs: options.oidcSigningAlgs,
        usernameClaim: options.oidcUsernameClaim,
        ...(options.oidcClientId !== undefined && { clientId: options.oidcClientId }),
        ...(options.oidcUsernamePrefix !== undefined && { usernamePrefix: options.oidcUsernamePrefix }),
        ...(options.oidcGroupsClaim !== undefined && { groupsClaim: options.oidcGroupsClaim }),
        ...(options.oidcGroupsPrefix !== undefined && { groupsPrefix: options.oidcGroupsPrefix }),
        ...(ca !== undefined && { certificateAuthority: ca.toString() }),
      },
      { disallowedIssuers: options.serviceAccountIssuer },
    );
    this.issuers.replace(issuer === undefined ? [] : [issuer]);
  }

  #fromFile(content: Buffer): void {
    const { anonymousAuth, serviceAccountIssuer: disallowedIssuers } = this.#parts.options;
    const { jwt, anonymous } = parseAuthenticationConfiguration(content, { disallowedIssuers });
    if (anonymous !== undefined && anonymousAuth) {
      throw new RangeError('anonymous cannot be set in the authentication configuration together with anonymous-auth');
    }
    this.issuers.replace(jwt);
    const { enabled, ...where } = anonymous ?? { enabled: anonymousAuth };
    this.#anonymous = enabled ? new AnonymousAuthenticator(where) : undefined;
  }
}
