import type { GroupResource } from '../meta/group-version.ts';
import { joinedErrors } from '../meta/joined-errors.ts';
import type { Logger } from '../meta/logger.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import { type Meter, noMeter } from '../meta/meter.ts';
import type { TransformedValue, ValueTransformer } from '../storage/index.ts';
import {
  type EncryptionConfiguration,
  type KmsConfiguration,
  type ProviderConfiguration,
  usesKms,
} from './configuration/encryption-configuration.ts';
import { KmsMetrics } from './kms/kms-metrics.ts';
import { KmsProvider } from './kms/kms-provider.ts';
import { openKmsService } from './kms/kms-service.ts';
import { aesCbc } from './providers/aes-cbc.ts';
import { aesGcm } from './providers/aes-gcm.ts';
import { identity } from './providers/identity.ts';
import { type PrefixedProvider, PrefixedProviders } from './providers/prefixed-providers.ts';
import { secretbox } from './providers/secretbox.ts';
import { type BuiltInTypes, typeOfKey } from './type-of-key.ts';
import { type OpenedValue, UnreadableValueError, type ValueProvider } from './value-provider.ts';

export interface EncryptionOptions {
  readonly types: BuiltInTypes;
  /** The key prefix in the store itself, if it is not `/registry`. Values are bound to the whole key. */
  readonly root?: string | undefined;
  readonly log: Logger;
  /** Measures key management services. */
  readonly meter?: Meter | undefined;
  /** The identity of the server for metric labels. */
  readonly server?: string | undefined;
  /**
   * Called when values that could not be decrypted may be readable now, with the prefixes of the keys of their types.
   */
  readonly onReadable: (prefixes: readonly string[]) => void;
  /** Ends the connections to key management services. */
  readonly signal: AbortSignal;
  readonly now?: (() => number) | undefined;
}

interface OpenedKms {
  readonly provider: KmsProvider;
  readonly timeoutMs: number;
  readonly close: () => void;
}

/** A configuration in use. */
interface Active {
  /** Keyed by resource as in the configuration, such as `apps/*`. */
  readonly providers: ReadonlyMap<string, ValueProvider>;
  /** Keyed by their identity, in the order of the configuration. */
  readonly kms: ReadonlyMap<string, OpenedKms>;
}

const registry = '/registry';
const keyed = { aesgcm: aesGcm, aescbc: aesCbc, secretbox };
const providerNames = { aesgcm: 'AES', aescbc: 'AES', secretbox: 'Secretbox' };

/**
 * The encrypted form of values in storage, in the layout of kube-apiserver. The key of a value determines its resource;
 * the configuration determines the providers of the resource.
 */
export class Encryption implements ValueTransformer {
  readonly #options: EncryptionOptions;
  #active: Active = { providers: new Map(), kms: new Map() };
  /** Keyed by the key prefix of a type. */
  readonly #byPrefix = new Map<string, ValueProvider>();
  /** For each key prefix of a type, one of the values that could not be read. */
  readonly #unreadable = new Map<string, { readonly key: string; readonly stored: Buffer }>();

  private constructor(options: EncryptionOptions) {
    this.#options = options;
  }

  /** Does not wait for key management services that do not work yet. */
  static async open(configuration: EncryptionConfiguration, options: EncryptionOptions): Promise<Encryption> {
    const encryption = new Encryption(options);
    const active = await encryption.#opened(configuration);
    await Promise.allSettled([...active.kms.values()].map(({ provider }) => provider.check()));
    encryption.#active = active;
    return encryption;
  }

  get usesKms(): boolean {
    return this.#active.kms.size > 0;
  }

  /** Rejects when a key management service does not work. */
  check(): Promise<void> {
    return checkAll(this.#active);
  }

  /**
   * Replaces the configuration: immediately if the new one needs no key management services. Throws or rejects, and
   * keeps the current configuration, when one of the new services does not work or the signal aborts first.
   */
  replace(configuration: EncryptionConfiguration, signal: AbortSignal): MaybePromise<void> {
    signal.throwIfAborted();
    if (usesKms(configuration)) return this.#replaceAfterCheck(configuration, signal);
    this.#use(activeOf(configuration, new Map()));
  }

  async #replaceAfterCheck(configuration: EncryptionConfiguration, signal: AbortSignal): Promise<void> {
    const next = await this.#opened(configuration);
    try {
      await checkAll(next);
      signal.throwIfAborted();
    } catch (error) {
      closeOthers(next, this.#active);
      throw error;
    }
    this.#use(next);
  }

  #use(next: Active): void {
    const before = this.#active;
    this.#active = next;
    this.#byPrefix.clear();
    closeLater(before, next);
    this.#readAgain([...this.#unreadable.keys()]);
  }

  toStored(value: Buffer, key: string): Buffer {
    const provider = this.#providerOf(key);
    if (provider === identity) return value;
    return Buffer.concat(provider.seal(value, this.#storedKey(key)));
  }

  fromStored(stored: Buffer, key: string): TransformedValue | Promise<TransformedValue> {
    const failed = (error: unknown): TransformedValue => {
      if (!(error instanceof UnreadableValueError)) throw error;
      const type = typeOfKey(key, this.#options.types);
      if (type !== undefined) this.#unreadable.set(type.prefix, { key, stored });
      return { value: stored, corrupt: error.message };
    };
    try {
      const opened = this.#providerOf(key).open(stored, this.#storedKey(key));
      return opened instanceof Promise ? opened.then(transformed, failed) : transformed(opened);
    } catch (error) {
      return failed(error);
    }
  }

  #readAgain(prefixes: readonly string[]): void {
    for (const prefix of prefixes) this.#unreadable.delete(prefix);
    if (prefixes.length > 0) this.#options.onReadable(prefixes);
  }

  /** Tries unreadable values again, because a working service may refuse to decrypt for some time. */
  async #tryAgain(): Promise<void> {
    for (const [prefix, { key, stored }] of [...this.#unreadable]) {
      try {
        await this.#providerOf(key).open(stored, this.#storedKey(key));
        this.#readAgain([prefix]);
      } catch {
        // The value is still unreadable.
      }
    }
  }

  #storedKey(key: string): string {
    const { root } = this.#options;
    return root === undefined ? key : root + key.slice(registry.length);
  }

  #providerOf(key: string): ValueProvider {
    const end = key.indexOf('/', registry.length + 1) + 1;
    const known = this.#byPrefix.get(key.slice(0, end)) ?? this.#byPrefix.get(key.slice(0, key.indexOf('/', end) + 1));
    if (known !== undefined) return known;
    const type = typeOfKey(key, this.#options.types);
    if (type === undefined) return identity;
    const provider = this.#configured(type);
    this.#byPrefix.set(type.prefix, provider);
    return provider;
  }

  #configured({ group, resource }: GroupResource): ValueProvider {
    const { providers } = this.#active;
    return providers.get(`${group}/${resource}`) ?? providers.get(`${group}/*`) ?? providers.get('*/*') ?? identity;
  }

  /** Providers of key management services that are already in use are reused with their keys. */
  async #opened(configuration: EncryptionConfiguration): Promise<Active> {
    const kms = new Map<string, OpenedKms>();
    for (const provider of configuration.flatMap(({ providers }) => providers)) {
      if (provider.type !== 'kms') continue;
      const id = idOf(provider);
      kms.set(id, kms.get(id) ?? this.#active.kms.get(id) ?? (await this.#openKms(provider)));
    }
    return activeOf(configuration, kms);
  }

  async #openKms(configuration: KmsConfiguration): Promise<OpenedKms> {
    const { log, signal, now, meter = noMeter, server = '' } = this.#options;
    const { name, timeoutMs } = configuration;
    const metrics = new KmsMetrics(meter, { provider: name, server, now });
    const provider = new KmsProvider({
      name,
      service: metrics.measured(await openKmsService(configuration)),
      metrics,
      onHealthy: ({ changed }) => {
        if (changed) this.#readAgain([...this.#unreadable.keys()]);
        else void this.#tryAgain();
      },
      onFailure: (err) => log.error('key management service failed', { name, err }),
      now,
    });
    const stop = new AbortController();
    provider.follow(AbortSignal.any([signal, stop.signal]));
    return { provider, timeoutMs, close: () => stop.abort() };
  }
}

function idOf(configuration: KmsConfiguration): string {
  return JSON.stringify(configuration);
}

function activeOf(configuration: EncryptionConfiguration, kms: Active['kms']): Active {
  const byResource = new Map<string, PrefixedProvider[]>();
  for (const { resources, providers } of configuration) {
    const opened = providers.map((provider) =>
      provider.type === 'kms'
        ? { prefix: `k8s:enc:kms:v2:${provider.name}:`, provider: kms.get(idOf(provider))!.provider }
        : withKeys(provider),
    );
    for (const { group, resource } of resources) {
      const name = `${group}/${resource}`;
      byResource.set(name, [...(byResource.get(name) ?? []), ...opened]);
    }
  }
  const providers = new Map(
    Array.from(byResource, ([name, all]) => [name, new PrefixedProviders(all, 'no matching prefix found')]),
  );
  return { providers, kms };
}

function transformed({ value, stale }: OpenedValue): TransformedValue {
  return stale ? { value, stale } : { value };
}

function withKeys(configuration: Exclude<ProviderConfiguration, KmsConfiguration>): PrefixedProvider {
  const { type } = configuration;
  if (type === 'identity') return { prefix: '', provider: identity };
  const keys = configuration.keys.map(({ name, secret }) => ({ prefix: `${name}:`, provider: keyed[type](secret) }));
  const noMatch = `no matching key was found for the provided ${providerNames[type]} transformer`;
  return { prefix: `k8s:enc:${type}:v1:`, provider: new PrefixedProviders(keys, noMatch) };
}

async function checkAll({ kms }: Active): Promise<void> {
  const results = await Promise.allSettled([...kms.values()].map(({ provider }) => provider.check()));
  const problems = results.map((result, index) =>
    result.status === 'rejected' ? `kms-provider-${index}: ${(result.reason as Error).message}` : '',
  );
  const text = joinedErrors(problems);
  if (text !== '') throw new Error(text);
}

function closeOthers(closed: Active, kept: Active): void {
  for (const [id, { close }] of closed.kms) if (!kept.kms.has(id)) close();
}

/** Calls to the services that are no longer used may still run. */
function closeLater(before: Active, next: Active): void {
  const timeouts = Array.from(before.kms.values(), ({ timeoutMs }) => timeoutMs);
  const grace = 2 * timeouts.reduce((sum, timeout) => sum + timeout, 0);
  setTimeout(() => closeOthers(before, next), Math.min(grace, 2 ** 31 - 1)).unref();
}
