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
import type { OptionFiles } from './files/option-files.ts';
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
  #proxyClient: Pair;

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
    // Parsed alone first: joined with the server's own CA, a file without certificates would go unnoticed.
    if (files.clientCa !== undefined) authorities('client-ca-file', files.clientCa);
    this.clientAuthorities = authorities('client-ca-file', `${files.own.caCert}\n${files.clientCa ?? ''}`);
    this.proxyAuthorities =
      files.proxyCa === undefined ? undefined : authorities('requestheader-client-ca-file', files.proxyCa);
    this.#proxyClient = files.proxyClient ?? files.frontProxy!;
    if (!isChecked) checkPair('proxy-client-cert-file', this.#proxyClient);
    const { caCert, caKey } = files.own;
    const pair = files.signing ?? (caKey === undefined ? undefined : { cert: caCert, key: caKey });
    this.signer = pair && new RequestSigner({ pair, durationMs: options.clusterSigningDurationMs });
  }

  /**
   * Reads the files and creates missing ones. Material that another thread of the server has created is reused. Rejects
   * with a RangeError for invalid files.
   */
  static async load(options: ResolvedOptions, { dataDir, ...sources }: KeySources): Promise<KeyMaterial> {
    const directory = dataDir === undefined ? undefined : join(dataDir, 'pki');
    return new KeyMaterial(options, directory, await readFiles(options, { ...sources, directory }));
  }

  /** The keys and certificates that the server has generated, for its other threads. */
  get generated(): GeneratedKeys {
    const { privateKey } = this.serviceAccountKeys.signing;
    const serviceAccountKey = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    return { own: this.#own, frontProxy: this.#frontProxy, serviceAccountKey };
  }

  /** Uses certificates that another thread of the server has renewed. `exchange` gets a changed serving certificate. */
  take({ own, frontProxy }: GeneratedKeys, exchange: (tls: TlsMaterial) => void): void {
    this.#takeOwn(own, exchange);
    if (frontProxy !== undefined && this.#frontProxy !== undefined) this.#takeFrontProxy(frontProxy);
  }

  /** Returns a copy for a server with the same certificates and trusted CAs. The copy does not follow files. */
  copyFor(options: ResolvedOptions): KeyMaterial {
    return new KeyMaterial(options, undefined, this.#files, { isChecked: true });
  }

  /** The certificates that the server has created. */
  get own(): Certificates {
    return this.#own;
  }

  /**
   * The client certificate that the server has created for requests to extension servers. Undefined when one is given.
   */
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
  async follow(listener: Listener, { files, onChange, signal }: FollowKeys): Promise<void> {
    const { log, clientCaFile, requestheaderClientCaFile, tlsCertFile, tlsPrivateKeyFile } = this.#options;
    const { serviceAccountSigningKeyFile, serviceAccountKeyFile } = this.#options;
    const { clusterSigningCertFile, clusterSigningKeyFile, proxyClientCertFile, proxyClientKeyFile } = this.#options;
    const followAll = (paths: readonly string[], onContents: (contents: readonly Buffer[]) => void): Promise<void> =>
      files.follow(paths, {
        onContents,
        onError: (err) => log.error('file not reloaded', { file: paths.join(', '), err }),
        signal,
      });
    const follow = async (file: string | undefined, use: (content: string) => void): Promise<void> => {
      if (file !== undefined) await followAll([file], ([content]) => use(content!.toString()));
    };
    // The two files do not change at the same time. While certificate and key do not match, the old pair stays in use.
    const followPair = async (
      cert: string | undefined,
      key: string | undefined,
      use: (pair: Pair) => void,
    ): Promise<void> => {
      if (cert === undefined || key === undefined) return;
      await followAll([cert, key], (contents) => use({ cert: String(contents[0]), key: String(contents[1]) }));
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
      followPair(tlsCertFile, tlsPrivateKeyFile, (pair) => this.#exchangePair(pair, exchange)),
      followPair(clusterSigningCertFile, clusterSigningKeyFile, (pair) => this.signer?.replace(pair)),
      followPair(proxyClientCertFile, proxyClientKeyFile, (pair) => {
        checkPair('proxy-client-cert-file', pair);
        this.#proxyClient = pair;
      }),
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
    // Certificates in memory are as old as the server and are not renewed.
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
    exchange(this.tls);
  }

  #takeFrontProxy(frontProxy: FrontProxyCertificates): void {
    this.#frontProxy = frontProxy;
    this.#proxyClient = frontProxy;
  }

  #exchangePair(pair: Pair, exchange: () => void): void {
    const before = this.#pair;
    if (pair.cert === before.cert && pair.key === before.key) return;
    this.#pair = pair;
    try {
      exchange();
    } catch (error) {
      this.#pair = before;
      throw error;
    }
  }
}

/** The sources of keys and certificates. */
interface KeySources {
  /** Undefined if generated keys and certificates are kept in memory only. */
  readonly dataDir: string | undefined;
  readonly files: OptionFiles;
  /** The keys and certificates that another thread of the server has generated. */
  readonly generated?: GeneratedKeys | undefined;
  /**
   * New keys and certificates are written only after this: when the server has locked the directory. Existing ones are
   * read before.
   */
  readonly writable?: Promise<unknown> | undefined;
}

interface FollowKeys {
  readonly files: OptionFiles;
  /** Called when the serving certificate or the trusted CAs have changed. */
  readonly onChange: () => void;
  readonly signal: AbortSignal;
}

/** Certificates and keys that the server has generated. */
export interface GeneratedKeys {
  readonly own: Certificates;
  readonly frontProxy: FrontProxyCertificates | undefined;
  /** The key (PEM) that signs service account tokens, generated or read from a file. */
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
  { files, directory, generated, writable }: FileSources,
): Promise<Files> {
  const read = async (option: string, path: string | undefined): Promise<string | undefined> =>
    path === undefined ? undefined : (await files.read(option, path)).toString();
  const readPair = async (certOption: PathOption, keyOption: PathOption): Promise<Pair | undefined> => {
    const [cert, key] = await Promise.all([read(...certOption), read(...keyOption)]);
    return cert === undefined || key === undefined ? undefined : { cert, key };
  };
  const target = directory === undefined ? {} : { directory, writable };
  const loading = [
    generated?.own ?? ensureCertificates({ hosts: hostsOf(options), ...target }),
    options.proxyClientCertFile === undefined
      ? (generated?.frontProxy ?? ensureFrontProxyCertificates(target))
      : undefined,
    loadServiceAccountKeys({
      files,
      ownKey: generated?.serviceAccountKey,
      ownKeyFile: directory === undefined ? undefined : join(directory, 'service-account.key'),
      writable,
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
  ] as const;
  // A start that fails must not continue to write to the directory, because another server may use it by then.
  await Promise.allSettled(loading);
  const [own, frontProxy, serviceAccountKeys, serving, signing, proxyClient, clientCa, proxyCa] =
    await Promise.all(loading);
  return { own, frontProxy, serviceAccountKeys, serving, signing, proxyClient, clientCa, proxyCa };
}

interface FileSources extends Omit<KeySources, 'dataDir'> {
  /** The directory of generated keys and certificates. */
  readonly directory: string | undefined;
}

type PathOption = readonly [option: string, path: string | undefined];

/** Throws a RangeError when the key is not that of the certificate. */
function checkPair(option: string, { cert, key }: Pair): void {
  try {
    // Without authorities, Node.js would load all public ones, which takes longer than all other work on keys.
    createSecureContext({ cert, key, ca: [] });
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
