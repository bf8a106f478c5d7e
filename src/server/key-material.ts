import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { CertificateAuthorities, type ServiceAccountKeys } from '../authn/index.ts';
import type { Listener, TlsMaterial } from '../http/listener/index.ts';
import {
  type Certificates,
  ensureCertificates,
  ensureFrontProxyCertificates,
  type FrontProxyCertificates,
  RequestSigner,
  servingHosts,
} from '../pki/index.ts';
import { parseServiceRanges, serviceAddress } from '../service-addresses/index.ts';
import { followFile } from './files/follow-file.ts';
import { readOptionFile } from './files/read-option-file.ts';
import { loadServiceAccountKeys } from './identity/service-account-key.ts';
import type { ResolvedOptions } from './options.ts';

/** The keys and certificates that the server uses to identify itself and to authenticate others. */
export class KeyMaterial {
  readonly serviceAccountKeys: ServiceAccountKeys;
  /** CAs of client certificates. The server's own CA is always included, because the admin kubeconfig must work. */
  readonly clientAuthorities: CertificateAuthorities;
  /** CAs of authenticating proxies; undefined when none are configured. */
  readonly proxyAuthorities: CertificateAuthorities | undefined;
  /** Undefined when the key of the CA is missing: then nothing can be signed. */
  readonly signer: RequestSigner | undefined;
  readonly #options: ResolvedOptions;
  readonly #files: Files;
  readonly #directory: string | undefined;
  #own: Certificates;
  #frontProxy: FrontProxyCertificates | undefined;
  #pair: Pair;
  /** The latest content of the files, usable or not. */
  #latest: Pair;
  /** The current content of the signing CA files; undefined when the server's own CA signs. */
  #signing: Pair | undefined;
  #proxyClient: Pair;
  /** The latest content of its files, usable or not. */
  #latestProxyClient: Pair;

  private constructor(
    options: ResolvedOptions,
    directory: string | undefined,
    files: Files,
    { isChecked = false } = {},
  ) {
    this.#options = options;
    this.#directory = directory;
    this.#files = files;
    this.#own = files.own;
    this.#frontProxy = files.frontProxy;
    this.serviceAccountKeys = files.serviceAccountKeys;
    this.#pair = files.serving ?? { cert: files.own.servingCert, key: files.own.servingKey };
    this.#latest = this.#pair;
    // Parsed alone first: joined with the server's own CA, a file without certificates would go unnoticed.
    if (files.clientCa !== undefined) authorities('client-ca-file', files.clientCa);
    this.clientAuthorities = authorities('client-ca-file', `${files.own.caCert}\n${files.clientCa ?? ''}`);
    this.proxyAuthorities =
      files.proxyCa === undefined ? undefined : authorities('requestheader-client-ca-file', files.proxyCa);
    this.#proxyClient = files.proxyClient ?? files.frontProxy!;
    if (!isChecked) checkPair('proxy-client-cert-file', this.#proxyClient);
    this.#latestProxyClient = this.#proxyClient;
    this.#signing = files.signing;
    const { caCert, caKey } = files.own;
    const pair = files.signing ?? (caKey === undefined ? undefined : { cert: caCert, key: caKey });
    this.signer = pair && new RequestSigner({ pair, durationMs: options.clusterSigningDurationMs });
  }

  /**
   * Reads the files and creates missing ones. Material that another thread of the server has created is reused. Rejects
   * with a RangeError for invalid files.
   */
  static async load(options: ResolvedOptions, dataDir: string | undefined, made?: MadeKeys): Promise<KeyMaterial> {
    const directory = dataDir === undefined ? undefined : join(dataDir, 'pki');
    return new KeyMaterial(options, directory, await readFiles(options, directory, made));
  }

  /** The material that the server has created, for its other threads. */
  get made(): MadeKeys {
    const { privateKey } = this.serviceAccountKeys.signing;
    const serviceAccountKey = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    return { own: this.#own, frontProxy: this.#frontProxy, serviceAccountKey };
  }

  /** Uses certificates that another thread of the server has renewed. `exchange` gets a changed serving certificate. */
  take({ own, frontProxy }: MadeKeys, exchange: (tls: TlsMaterial) => void): void {
    this.#takeOwn(own, exchange);
    if (frontProxy !== undefined && this.#frontProxy !== undefined) this.#takeFrontProxy(frontProxy);
  }

  /** For a server that trusts and is trusted by the same clients. It follows no files. */
  copyFor(options: ResolvedOptions): KeyMaterial {
    return new KeyMaterial(options, undefined, this.#files, { isChecked: true });
  }

  /** The certificates that the server has made. */
  get own(): Certificates {
    return this.#own;
  }

  /** The client certificate that the server has made for requests to extension servers. Undefined when one is given. */
  get frontProxy(): FrontProxyCertificates | undefined {
    return this.#frontProxy;
  }

  /** The serving certificate (PEM). */
  get cert(): string {
    return this.#pair.cert;
  }

  /**
   * The CA bundle (PEM) by which clients verify the server. A certificate from a file is itself the bundle, because its
   * CA is unknown.
   */
  get servedCa(): string {
    return this.#options.tlsCertFile === undefined ? this.own.caCert : this.#pair.cert;
  }

  /** The client certificate for requests to extension servers on behalf of users. */
  get proxyClient(): Pair {
    return this.#proxyClient;
  }

  get tls(): TlsMaterial {
    const clientCa = [this.clientAuthorities.pem];
    if (this.proxyAuthorities !== undefined) clientCa.push(this.proxyAuthorities.pem);
    return { ...this.#pair, clientCa };
  }

  /** Reloads changed files for new connections and tokens. Resolves when all files are being watched. */
  async follow(listener: Listener, { onChange, signal }: { onChange: () => void; signal: AbortSignal }): Promise<void> {
    const { log, clientCaFile, requestheaderClientCaFile, tlsCertFile, tlsPrivateKeyFile } = this.#options;
    const { serviceAccountSigningKeyFile, serviceAccountKeyFile } = this.#options;
    const { clusterSigningCertFile, clusterSigningKeyFile, proxyClientCertFile, proxyClientKeyFile } = this.#options;
    const follow = (file: string | undefined, use: (content: string) => void): Promise<void> => {
      if (file === undefined) return Promise.resolve();
      return followFile(file, {
        onContent: (content) => use(content.toString()),
        onError: (err) => log.error('file not reloaded', { file, err }),
        signal,
      });
    };
    const exchange = (): void => {
      listener.exchangeTls(this.tls);
      onChange();
    };
    const followCa = (file: string | undefined, known: CertificateAuthorities | undefined, always: string) =>
      follow(file, (content) => {
        // Parsed alone first: joined with the server's own CA, a file without certificates would go unnoticed.
        new CertificateAuthorities(content);
        if (known === undefined || known.pem === new CertificateAuthorities(always + content).pem) return;
        known.replace(always + content);
        exchange();
      });
    await Promise.all([
      followCa(clientCaFile, this.clientAuthorities, `${this.own.caCert}\n`),
      followCa(requestheaderClientCaFile, this.proxyAuthorities, ''),
      follow(tlsCertFile, (cert) => this.#exchangePair({ cert }, exchange)),
      follow(tlsPrivateKeyFile, (key) => this.#exchangePair({ key }, exchange)),
      follow(clusterSigningCertFile, (cert) => this.#exchangeSigner({ cert })),
      follow(clusterSigningKeyFile, (key) => this.#exchangeSigner({ key })),
      follow(proxyClientCertFile, (cert) => this.#exchangeProxyClient({ cert })),
      follow(proxyClientKeyFile, (key) => this.#exchangeProxyClient({ key })),
      follow(serviceAccountSigningKeyFile, (content) => this.serviceAccountKeys.replaceSigningKey(content)),
      ...serviceAccountKeyFile.map((file) =>
        follow(file, (content) => this.serviceAccountKeys.replaceKeyFile(file, content)),
      ),
    ]);
  }

  /**
   * Renews the server's own certificates that are about to expire. `exchange` gets a changed serving certificate.
   * Rejects when a CA would have to change: that needs a restart, because its clients must get the new CA.
   */
  async renewOwn(exchange: (tls: TlsMaterial) => void, now = new Date()): Promise<void> {
    const directory = this.#directory;
    // Those in memory are as young as the server.
    if (directory === undefined) return;
    const own = await ensureCertificates({ directory, hosts: hostsOf(this.#options), now });
    if (own.caCert !== this.#own.caCert) throw new Error('the CA of the server has changed: restart it');
    this.#takeOwn(own, exchange);
    if (this.#frontProxy === undefined) return;
    const frontProxy = await ensureFrontProxyCertificates({ directory, now });
    if (frontProxy.ca !== this.#frontProxy.ca) throw new Error('the CA for proxied requests has changed: restart it');
    this.#takeFrontProxy(frontProxy);
  }

  #takeOwn(own: Certificates, exchange: (tls: TlsMaterial) => void): void {
    const before = this.#own;
    this.#own = own;
    if (this.#options.tlsCertFile !== undefined || own.servingCert === before.servingCert) return;
    this.#pair = { cert: own.servingCert, key: own.servingKey };
    this.#latest = this.#pair;
    exchange(this.tls);
  }

  #takeFrontProxy(frontProxy: FrontProxyCertificates): void {
    this.#frontProxy = frontProxy;
    this.#proxyClient = frontProxy;
  }

  /** While certificate and key do not match, the old CA keeps signing. */
  #exchangeSigner(changed: Partial<Pair>): void {
    if (this.#signing === undefined) return;
    this.#signing = { ...this.#signing, ...changed };
    this.signer?.replace(this.#signing);
  }

  /** While certificate and key do not match, the old pair stays. */
  #exchangeProxyClient(changed: Partial<Pair>): void {
    this.#latestProxyClient = { ...this.#latestProxyClient, ...changed };
    checkPair('proxy-client-cert-file', this.#latestProxyClient);
    this.#proxyClient = this.#latestProxyClient;
  }

  /** One file changes before the other. While certificate and key do not match, the old pair stays. */
  #exchangePair(changed: Partial<Pair>, exchange: () => void): void {
    const before = this.#pair;
    this.#latest = { ...this.#latest, ...changed };
    const { cert, key } = this.#latest;
    if (cert === before.cert && key === before.key) return;
    this.#pair = this.#latest;
    try {
      exchange();
    } catch (error) {
      this.#pair = before;
      throw error;
    }
  }
}

/** Certificates and keys that the server has made. */
export interface MadeKeys {
  readonly own: Certificates;
  readonly frontProxy: FrontProxyCertificates | undefined;
  /** The key (PEM) that signs service account tokens, from a file or not. */
  readonly serviceAccountKey: string;
}

interface Pair {
  readonly cert: string;
  readonly key: string;
}

interface Files {
  readonly own: Certificates;
  readonly frontProxy: FrontProxyCertificates | undefined;
  readonly serviceAccountKeys: ServiceAccountKeys;
  readonly serving: Pair | undefined;
  readonly signing: Pair | undefined;
  readonly proxyClient: Pair | undefined;
  readonly clientCa: string | undefined;
  readonly proxyCa: string | undefined;
}

/** The names in the serving certificate, including the cluster IP of the service `kubernetes`. */
function hostsOf({ bindAddress, serviceClusterIpRange }: ResolvedOptions): readonly string[] {
  return servingHosts({ bindAddress, extraHosts: [serviceAddress(parseServiceRanges(serviceClusterIpRange))] });
}

async function readFiles(
  options: ResolvedOptions,
  own: string | undefined,
  given: MadeKeys | undefined,
): Promise<Files> {
  const read = async (option: string, path: string | undefined): Promise<string | undefined> =>
    path === undefined ? undefined : (await readOptionFile(option, path)).toString();
  const readPair = async (certOption: PathOption, keyOption: PathOption): Promise<Pair | undefined> => {
    const [cert, key] = await Promise.all([read(...certOption), read(...keyOption)]);
    return cert === undefined || key === undefined ? undefined : { cert, key };
  };
  const directory = own === undefined ? {} : { directory: own };
  const [made, frontProxy, serviceAccountKeys, serving, signing, proxyClient, clientCa, proxyCa] = await Promise.all([
    given?.own ?? ensureCertificates({ hosts: hostsOf(options), ...directory }),
    options.proxyClientCertFile === undefined
      ? (given?.frontProxy ?? ensureFrontProxyCertificates(directory))
      : undefined,
    loadServiceAccountKeys({
      ownKey: given?.serviceAccountKey,
      ownKeyFile: own === undefined ? undefined : join(own, 'service-account.key'),
      signingKeyFile: options.serviceAccountSigningKeyFile,
      keyFiles: options.serviceAccountKeyFile,
    }),
    readPair(['tls-cert-file', options.tlsCertFile], ['tls-private-key-file', options.tlsPrivateKeyFile]),
    readPair(
      ['cluster-signing-cert-file', options.clusterSigningCertFile],
      ['cluster-signing-key-file', options.clusterSigningKeyFile],
    ),
    readPair(
      ['proxy-client-cert-file', options.proxyClientCertFile],
      ['proxy-client-key-file', options.proxyClientKeyFile],
    ),
    read('client-ca-file', options.clientCaFile),
    read('requestheader-client-ca-file', options.requestheaderClientCaFile),
  ]);
  return { own: made, frontProxy, serviceAccountKeys, serving, signing, proxyClient, clientCa, proxyCa };
}

type PathOption = readonly [option: string, path: string | undefined];

/** Throws a RangeError when the key is not that of the certificate. */
function checkPair(option: string, { cert, key }: Pair): void {
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new RangeError(`${option}: ${(error as Error).message}`, { cause: error });
  }
}

function authorities(option: string, pem: string): CertificateAuthorities {
  try {
    return new CertificateAuthorities(pem);
  } catch (error) {
    throw new RangeError(`${option}: ${(error as Error).message}`, { cause: error });
  }
}
