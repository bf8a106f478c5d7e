import {
  AnonymousAuthenticator,
  AuthenticationChain,
  BearerTokenAuthenticator,
  CertificateAuthorities,
  ClientCertificateAuthenticator,
  FrontProxyAuthenticator,
  type ProxyHeaders,
  TokenChain,
} from '../authn/index.ts';
import { WebhookTokenAuthenticator } from '../authn/webhook/index.ts';
import { Informer } from '../client/index.ts';
import type { Logger } from '../meta/logger.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { Cluster } from './cluster.ts';

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const namespace = 'kube-system';
const name = 'extension-apiserver-authentication';
/** The duration in the API servers of Kubernetes. */
const tokenCacheMs = 10_000;

/** The CAs that extension servers must trust, as the API server publishes them in a config map. */
export interface PublishedTrust {
  /** CAs (PEM) of clients. */
  readonly clientCa: string | undefined;
  readonly frontProxy: (ProxyHeaders & { readonly clientCa: string }) | undefined;
}

/**
 * Delegated authentication, as in the aggregated API servers of Kubernetes. The API server is a front proxy that sends
 * the user in headers. Direct clients are authenticated by certificates of its CA and by TokenReviews. All other
 * requests are anonymous.
 */
export class DelegatedAuthentication {
  readonly chain: AuthenticationChain;
  readonly #cluster: Cluster;
  readonly #log: Logger;
  /** Kept when they change, because connections remember the generation of the CAs that they were verified with. */
  #clientAuthorities: CertificateAuthorities | undefined;
  #clientCertificates: ClientCertificateAuthenticator | undefined;
  #frontProxy: FrontProxyAuthenticator | undefined;
  #trusted: readonly string[] = [];
  #onChange: () => void = () => {};

  constructor(cluster: Cluster, log: Logger) {
    this.#cluster = cluster;
    this.#log = log;
    const reviews = new WebhookTokenAuthenticator({
      endpoint: cluster.reviews('authentication.k8s.io/v1/tokenreviews', 'authn'),
      version: 'v1',
      cacheMs: tokenCacheMs,
      audiences: [],
    });
    const tokens = new TokenChain([reviews], {
      audiences: [],
      onFault: (err) => log.error('a token could not be reviewed', { err }),
    });
    this.chain = new AuthenticationChain([
      { authenticate: (credentials) => this.#frontProxy?.authenticate(credentials) },
      { authenticate: (credentials) => this.#clientCertificates?.authenticate(credentials) },
      new BearerTokenAuthenticator(tokens, { onRefused: (reason) => log.info('token refused', { reason }) }),
      new AnonymousAuthenticator(),
    ]);
  }

  /** The CAs (PEM) of all client certificates that may be shown. */
  get trusted(): readonly string[] {
    return this.#trusted;
  }

  /** Whether the API server may forward requests. */
  get hasFrontProxy(): boolean {
    return this.#frontProxy !== undefined;
  }

  /** Reads the config map. Rejects when that is not possible or its content is invalid. */
  async load(): Promise<void> {
    try {
      this.#use(publishedTrust(await this.#cluster.client.resource(configMaps, namespace).get(name)));
    } catch (cause) {
      const problem = (cause as Error).message;
      throw new Error(`the trusted CAs cannot be read from the config map ${namespace}/${name}: ${problem}`, { cause });
    }
  }

  /** Follows the config map. Invalid content is reported, and the previous CAs remain in use. */
  follow(onChange: () => void, signal: AbortSignal): void {
    this.#onChange = onChange;
    const report = (err: Error): void =>
      this.#log.error('trusted CAs not updated', { configMap: `${namespace}/${name}`, err });
    const source = this.#cluster.client.resource(configMaps, namespace);
    const selectors = { fieldSelector: `metadata.name=${name}` };
    const use = (object: ResourceObject): void => this.#use(publishedTrust(object));
    new Informer(source, { selectors, report }, signal).addHandler({ added: use, updated: use });
  }

  #use({ clientCa, frontProxy }: PublishedTrust): void {
    const trusted = [clientCa, frontProxy?.clientCa].filter((pem) => pem !== undefined);
    const proxy = frontProxy && {
      authenticator: new FrontProxyAuthenticator({
        ...frontProxy,
        authorities: authorities('requestheader-client-ca-file', frontProxy.clientCa),
      }),
    };
    if (clientCa === undefined) {
      this.#clientCertificates = undefined;
    } else if (this.#clientAuthorities === undefined) {
      this.#clientAuthorities = authorities('client-ca-file', clientCa);
    } else if (this.#clientAuthorities.pem !== authorities('client-ca-file', clientCa).pem) {
      this.#clientAuthorities.replace(clientCa);
    }
    if (clientCa !== undefined) {
      this.#clientCertificates ??= new ClientCertificateAuthenticator({ authorities: this.#clientAuthorities! });
    }
    this.#frontProxy = proxy?.authenticator;
    const isChanged = trusted.join('\n') !== this.#trusted.join('\n');
    this.#trusted = trusted;
    if (isChanged) this.#onChange();
  }
}

/** Throws a RangeError that names the key. */
export function publishedTrust({ data }: ResourceObject): PublishedTrust {
  const texts = (data ?? {}) as Readonly<Record<string, string>>;
  const proxyCa = texts['requestheader-client-ca-file'] || undefined;
  const names = (key: string): readonly string[] => namesIn(texts, `requestheader-${key}`);
  return {
    clientCa: texts['client-ca-file'] || undefined,
    frontProxy: proxyCa && {
      clientCa: proxyCa,
      allowedNames: names('allowed-names'),
      usernameHeaders: names('username-headers'),
      uidHeaders: names('uid-headers'),
      groupHeaders: names('group-headers'),
      extraHeaderPrefixes: names('extra-headers-prefix'),
    },
  } as PublishedTrust;
}

function namesIn(texts: Readonly<Record<string, string>>, key: string): readonly string[] {
  const text = texts[key];
  if (!text) return [];
  try {
    const names: unknown = JSON.parse(text);
    if (Array.isArray(names) && names.every((one) => typeof one === 'string')) return names;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new RangeError(`${key}: not a JSON list of strings`);
}

function authorities(key: string, pem: string): CertificateAuthorities {
  try {
    return new CertificateAuthorities(pem);
  } catch (error) {
    throw new RangeError(`${key}: ${(error as Error).message}`, { cause: error });
  }
}
