import {
  AnonymousAuthenticator,
  AuthenticationChain,
  BearerTokenAuthenticator,
  BootstrapTokenAuthenticator,
  ClientCertificateAuthenticator,
  FrontProxyAuthenticator,
  loopbackHealth,
  type ProxyHeaders,
  ServiceAccountTokenAuthenticator,
  type TokenAuthenticator,
  TokenChain,
  TokenFile,
} from '../../authn/index.ts';
import { isHealthPath } from '../../http/health/index.ts';
import { readOptionFile } from '../files/read-option-file.ts';
import type { ResolvedOptions } from '../options.ts';
import type { AuthenticationParts } from './authentication-parts.ts';
import type { ConfiguredIssuers } from './configured-issuers.ts';

export interface Authentication {
  readonly chain: AuthenticationChain;
  readonly tokens: TokenChain;
}

/** Everybody who can say who makes a request, in the order in which they are asked. Rejects with a RangeError. */
export async function authentication(parts: AuthenticationParts): Promise<Authentication> {
  const { options } = parts;
  const { clientAuthorities, proxyAuthorities } = parts.material;
  const issuers = await configuredIssuers(parts);
  const tokens = new TokenChain(await tokenAuthenticators(parts, issuers?.tokens), {
    audiences: apiAudiences(options),
    onFault: (err) => options.log.error('a token could not be checked', { err }),
  });
  await issuers?.follow(() => tokens.clear());
  const chain = new AuthenticationChain([
    ...(proxyAuthorities === undefined
      ? []
      : [new FrontProxyAuthenticator({ authorities: proxyAuthorities, ...proxyHeaders(options) })]),
    new ClientCertificateAuthenticator({ authorities: clientAuthorities }),
    new BearerTokenAuthenticator(tokens, { onRefused: (reason) => options.log.info('token refused', { reason }) }),
    loopbackHealth(isHealthPath),
    ...(issuers !== undefined ? [issuers.anonymous] : options.anonymousAuth ? [new AnonymousAuthenticator()] : []),
  ]);
  return { chain, tokens };
}

/** Loaded only by servers that accept tokens of others: it brings a language of expressions with it. */
async function configuredIssuers(parts: AuthenticationParts): Promise<ConfiguredIssuers | undefined> {
  const { authenticationConfig, oidcIssuerUrl } = parts.options;
  if (authenticationConfig === undefined && oidcIssuerUrl === undefined) return undefined;
  const loaded = await import('./configured-issuers.ts');
  return new loaded.ConfiguredIssuers(parts);
}

/** Of this server: for whom tokens are that do not say it. */
export function apiAudiences({ apiAudiences: given, serviceAccountIssuer }: ResolvedOptions): readonly string[] {
  return given.length > 0 ? given : serviceAccountIssuer;
}

export function proxyHeaders(options: ResolvedOptions): ProxyHeaders {
  return {
    allowedNames: options.requestheaderAllowedNames,
    usernameHeaders: options.requestheaderUsernameHeaders,
    groupHeaders: options.requestheaderGroupHeaders,
    uidHeaders: options.requestheaderUidHeaders,
    extraHeaderPrefixes: options.requestheaderExtraHeadersPrefix,
  };
}

async function tokenAuthenticators(
  { options, resources, material: { serviceAccountKeys: keys }, signal }: AuthenticationParts,
  issuers: TokenAuthenticator | undefined,
): Promise<TokenAuthenticator[]> {
  const { tokenAuthFile, authenticationTokenWebhookConfigFile: webhook } = options;
  const audiences = apiAudiences(options);
  const found: TokenAuthenticator[] = [];
  if (tokenAuthFile !== undefined) {
    const warn = (text: string): void => options.log.info(text, { file: tokenAuthFile });
    found.push(new TokenFile(await readOptionFile('token-auth-file', tokenAuthFile), { warn }));
  }
  found.push(
    new ServiceAccountTokenAuthenticator({
      keys,
      issuers: options.serviceAccountIssuer,
      audiences,
      objects: resources,
    }),
  );
  if (options.enableBootstrapTokenAuth) found.push(new BootstrapTokenAuthenticator({ objects: resources }));
  if (issuers !== undefined) found.push(issuers);
  if (webhook !== undefined) {
    const { tokenWebhook } = await import('./token-webhook.ts');
    found.push(tokenWebhook(webhook, { options, audiences, signal }));
  }
  return found;
}
