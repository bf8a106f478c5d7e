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
import type { Histogram, Meter } from '../../meta/meter.ts';
import type { ResolvedOptions } from '../options.ts';
import type { AuthenticationDependencies } from './authentication-dependencies.ts';
import type { ConfiguredIssuers } from './configured-issuers.ts';
import { RefusalLog } from './refusal-log.ts';

export interface Authentication {
  readonly chain: AuthenticationChain;
  readonly tokens: TokenChain;
}

/** Builds the authenticators in the order in which they are tried. Rejects with a RangeError for invalid options. */
export async function authentication(dependencies: AuthenticationDependencies): Promise<Authentication> {
  const { options, others = [], visitors = [] } = dependencies;
  const { clientAuthorities, proxyAuthorities } = dependencies.material;
  const issuers = await configuredIssuers(dependencies);
  const tokens = new TokenChain(await tokenAuthenticators(dependencies, issuers?.tokens), {
    audiences: apiAudiences(options),
    now: () => options.clock.now(),
    monotonic: () => options.clock.monotonic(),
    onFault: (err) => options.log.error('a token could not be checked', { err }),
  });
  await issuers?.follow(() => tokens.clear());
  const refusals = new RefusalLog({ log: options.log });
  const chain = new AuthenticationChain([
    ...others,
    ...(proxyAuthorities === undefined
      ? []
      : [new FrontProxyAuthenticator({ authorities: proxyAuthorities, ...proxyHeaders(options) })]),
    new ClientCertificateAuthenticator({ authorities: clientAuthorities, lifetimes: lifetimes(dependencies.meter) }),
    new BearerTokenAuthenticator(tokens, {
      onRefused: (reason, { connection }) => refusals.add(reason, connection.remoteAddress),
    }),
    ...(options.compatibility.openLoopbackHealth ? [loopbackHealth(isHealthPath)] : []),
    ...visitors,
    ...(issuers !== undefined
      ? [issuers.anonymous]
      : options.compatibility.anonymousAuth
        ? [new AnonymousAuthenticator()]
        : []),
  ]);
  return { chain, tokens };
}

const hour = 3600;
const day = 24 * hour;

function lifetimes(meter: Meter): Histogram {
  return meter
    .histogram({
      name: 'apiserver_client_certificate_expiration_seconds',
      help: 'How long client certificates remain valid when they are first used on a connection, in seconds.',
      labels: [],
      buckets: [
        0,
        hour / 2,
        hour,
        2 * hour,
        6 * hour,
        12 * hour,
        ...[1, 2, 4, 7, 30, 90, 180, 360].map((days) => days * day),
      ],
    })
    .of();
}

/** Loaded only when foreign issuers are configured, because it brings the CEL library. */
async function configuredIssuers(dependencies: AuthenticationDependencies): Promise<ConfiguredIssuers | undefined> {
  const { authenticationConfig, oidcIssuerUrl } = dependencies.options;
  if (authenticationConfig === undefined && oidcIssuerUrl === undefined) return undefined;
  const loaded = await import('./configured-issuers.ts');
  return new loaded.ConfiguredIssuers(dependencies);
}

/** The audiences of tokens that name none. */
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
  {
    options,
    files,
    resources,
    material: { serviceAccountKeys: keys },
    meter,
    stopCalls: stop,
  }: AuthenticationDependencies,
  issuers: TokenAuthenticator | undefined,
): Promise<TokenAuthenticator[]> {
  const { tokenAuthFile, authenticationTokenWebhookConfigFile: webhook } = options;
  const audiences = apiAudiences(options);
  const found: TokenAuthenticator[] = [];
  if (tokenAuthFile !== undefined) {
    const warn = (text: string): void => {
      if (files.isReader) options.log.info(text, { file: tokenAuthFile });
    };
    found.push(new TokenFile(await files.read('token-auth-file', tokenAuthFile), { warn }));
  }
  found.push(
    new ServiceAccountTokenAuthenticator({
      keys,
      issuers: options.serviceAccountIssuer,
      audiences,
      objects: resources,
      meter,
      now: () => options.clock.now(),
    }),
  );
  if (options.enableBootstrapTokenAuth)
    found.push(new BootstrapTokenAuthenticator({ objects: resources, now: () => options.clock.now() }));
  if (issuers !== undefined) found.push(issuers);
  if (webhook !== undefined) {
    const { tokenWebhook } = await import('./token-webhook.ts');
    found.push(tokenWebhook(webhook, { options, files, audiences, meter, stop }));
  }
  return found;
}
