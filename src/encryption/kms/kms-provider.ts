import { createHash, createSecretKey, randomBytes } from 'node:crypto';
import { AsyncCache } from '../../meta/async-cache.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { joinedErrors } from '../../meta/joined-errors.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import { StorageError } from '../../storage/storage.ts';
import { aesGcm } from '../providers/aes-gcm.ts';
import { type OpenedValue, UnreadableValueError, type ValueProvider } from '../value-provider.ts';
import {
  checkSource,
  decodeEncryptedObject,
  type EncryptedObject,
  type EncryptedSource,
  encodeEncryptedObject,
  keyIdProblem,
  sourceTypes,
} from './encrypted-object.ts';
import { hashOf, type KmsMetrics } from './kms-metrics.ts';
import { KmsCallError, type KmsService, type KmsStatus } from './kms-service.ts';
import { seededCipher, seedSize } from './seeded-cipher.ts';

/** How often the status of the plugin is polled, in milliseconds. */
const pollIntervals = { healthy: 60_000, failing: 10_000 };
/** How long health checks use the last status, in milliseconds. */
const statusTtls = { healthy: 20_000, failing: 3_000 };
/** How long a seed is used after the last status that confirmed its key, in milliseconds. */
const writeTtl = 180_000;
/** There is one cipher for each start of a server and each key of the service. */
const maxCiphers = 1000;
const cipherTtl = 24 * 60 * 60_000;
const aesKeySizes = [16, 24, 32];
const empty = Buffer.alloc(0);
const apiVersions = ['v2', 'v2beta1'];

export interface KmsProviderOptions {
  readonly name: string;
  readonly service: KmsService;
  readonly metrics?: KmsMetrics | undefined;
  /** Called when the plugin works. `changed`: it works again after a failure, or has a new key. */
  readonly onHealthy?: (state: { readonly changed: boolean }) => void;
  /** Called once for each failure of the plugin that differs from the one before. */
  readonly onFailure?: (error: Error) => void;
  readonly now?: (() => number) | undefined;
}

/** The seed and key for new values. */
interface WriteState {
  readonly source: EncryptedSource;
  readonly cipher: ValueProvider;
  readonly cacheKey: string;
  readonly expires: number;
}

/**
 * Encrypts with a seed that this process has made and that a plugin has encrypted with its key. Values are read and
 * written without the plugin, except for the first value of a foreign seed. The key of the plugin may change at any
 * time; then a new seed is made.
 */
export class KmsProvider implements ValueProvider {
  readonly #options: KmsProviderOptions;
  readonly #now: () => number;
  /** Seeds that the plugin has decrypted. */
  readonly #ciphers: AsyncCache<ValueProvider>;
  #state: WriteState | undefined;
  #version: string | undefined;
  #last: { readonly at: number; readonly error: Error | undefined } | undefined;
  #checking: Promise<void> | undefined;
  #followed: AbortSignal | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: KmsProviderOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#ciphers = new AsyncCache({ maxSize: maxCiphers, now: this.#now });
  }

  /** Rejects when the plugin does not work. Calls it at most every few seconds. */
  check(): Promise<void> {
    const last = this.#last;
    if (last !== undefined && this.#now() - last.at < (last.error ? statusTtls.failing : statusTtls.healthy)) {
      return last.error === undefined ? Promise.resolve() : Promise.reject(last.error);
    }
    return this.poll();
  }

  /** Requests the status of the plugin, and lets it encrypt a new seed if its key has changed. */
  poll(): Promise<void> {
    this.#checking ??= this.#poll().finally(() => {
      this.#checking = undefined;
      this.#schedule();
    });
    return this.#checking;
  }

  /** Polls until the signal aborts, and then closes the connection. */
  follow(signal: AbortSignal): void {
    const stop = (): void => {
      clearTimeout(this.#timer);
      this.#options.service.close();
    };
    this.#followed = signal;
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    this.#schedule();
  }

  /** Schedules the next poll. */
  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#followed === undefined || this.#followed.aborted) return;
    const interval = this.#last?.error === undefined ? pollIntervals.healthy : pollIntervals.failing;
    // The failure has already been reported.
    this.#timer = setTimeout(() => void this.poll().catch(() => {}), interval);
    this.#timer.unref();
  }

  async #poll(): Promise<void> {
    const before = this.#last;
    const keyId = this.#state?.source.keyId;
    const error = await this.#failure();
    this.#last = { at: this.#now(), error };
    if (error !== undefined) {
      if (error.message !== before?.error?.message) this.#options.onFailure?.(error);
      throw error;
    }
    const changed = before?.error !== undefined || keyId !== this.#state?.source.keyId;
    this.#options.onHealthy?.({ changed });
  }

  async #failure(): Promise<Error | undefined> {
    const { name, service } = this.#options;
    let status: KmsStatus;
    try {
      status = await service.status();
    } catch (cause) {
      const { message } = cause as Error;
      return new Error(
        `failed to perform status section of the healthz check for KMS Provider ${name}, error: ${message}`,
        { cause },
      );
    }
    const problems = [...this.#statusProblems(status), await this.#useKey(status.keyId)];
    const text = joinedErrors(problems);
    return text === '' ? undefined : new Error(`kmsv2 Provider ${name} is not healthy, error: ${text}`);
  }

  #statusProblems({ healthz, version }: KmsStatus): string[] {
    const problems = healthz === 'ok' ? [] : [`got unexpected healthz status: ${healthz}`];
    if (!apiVersions.includes(version)) {
      problems.push(`expected KMSv2 API version v2, got ${version}`);
    } else {
      this.#version ??= version;
      if (version !== this.#version) {
        problems.push(
          `KMSv2 API version should not change after the initial status response version ${this.#version}, got ${version}`,
        );
      }
    }
    return problems;
  }

  /** Uses the key for new values. Returns a problem, or an empty text. */
  async #useKey(keyId: string): Promise<string> {
    const problem = keyIdProblem(keyId);
    if (problem === '') this.#options.metrics?.named(keyId);
    else this.#options.metrics?.namedInvalid(keyId);
    if (problem !== '') return `got invalid KMSv2 KeyID hash ${goQuote(hashOf(keyId))}: ${problem}`;
    // The time before the call counts, because the key may be replaced right after the response.
    const expires = this.#now() + writeTtl;
    if (this.#state?.source.keyId === keyId) {
      this.#state = { ...this.#state, expires };
      return '';
    }
    try {
      const state = await this.#newState(expires);
      if (state.source.keyId !== keyId) {
        const hashes = `statusKeyIDHash=${goQuote(hashOf(keyId))}, encryptKeyIDHash=${goQuote(hashOf(state.source.keyId))}`;
        return `failed to rotate DEK: the key ID of Status is not that of Encrypt, ${hashes}`;
      }
      this.#state = state;
      return '';
    } catch (error) {
      return `failed to rotate DEK: ${(error as Error).message}`;
    }
  }

  async #newState(expires: number): Promise<WriteState> {
    const seed = randomBytes(seedSize);
    const { keyId, ciphertext, annotations } = await this.#options.service.encrypt(seed).catch((cause: Error) => {
      throw new Error(`failed to encrypt DEK, error: ${cause.message}`, { cause });
    });
    // Copied, because the response is a view into a larger buffer.
    const source = { keyId, source: Buffer.from(ciphertext), annotations, sourceType: sourceTypes.seed };
    checkSource(source);
    const cipher = seededCipher(seed);
    const cacheKey = cacheKeyOf(source);
    // Caches the cipher, so that values of this seed are read without the plugin even after the seed has been replaced.
    await this.#ciphers.get(cacheKey, async () => ({ value: cipher, ttlMs: cipherTtl }));
    this.#options.metrics?.cached(this.#ciphers.size);
    return { source, cipher, cacheKey, expires };
  }

  seal(value: Buffer, key: string): Buffer[] {
    const { name, metrics } = this.#options;
    const state = this.#state;
    if (state === undefined) {
      throw new StorageError('Unavailable', `KMS provider ${name} has not provided a key yet`);
    }
    if (this.#now() > state.expires) {
      const times = `expired at ${timeText(state.expires)} (current time is ${timeText(this.#now())})`;
      const hash = goQuote(hashOf(state.source.keyId));
      throw new StorageError('Unavailable', `encryptedDEKSource with keyID hash ${hash} ${times}`);
    }
    metrics?.used('to_storage', state.source.keyId);
    return [encodeEncryptedObject({ ...state.source, data: Buffer.concat(state.cipher.seal(value, key)) })];
  }

  open(sealed: Buffer, key: string): MaybePromise<OpenedValue> {
    const object = decoded(sealed);
    return mapMaybe(this.#cipherOf(object), (cipher) =>
      mapMaybe(cipher.open(object.data, key), ({ value }) => {
        this.#options.metrics?.used('from_storage', object.keyId);
        return { value, stale: this.#isStale(object) };
      }),
    );
  }

  #isStale({ keyId, sourceType }: EncryptedObject): boolean {
    return sourceType !== sourceTypes.seed || keyId !== this.#state?.source.keyId;
  }

  #cipherOf(object: EncryptedObject): MaybePromise<ValueProvider> {
    const cacheKey = cacheKeyOf(object);
    if (cacheKey === this.#state?.cacheKey) return this.#state.cipher;
    const known = this.#ciphers.get(cacheKey, async () => ({ value: await this.#decrypted(object), ttlMs: cipherTtl }));
    if (known instanceof Promise)
      void known.then(
        () => this.#options.metrics?.cached(this.#ciphers.size),
        () => {},
      );
    return known;
  }

  async #decrypted({ source, keyId, annotations, sourceType }: EncryptedObject): Promise<ValueProvider> {
    const { name, service } = this.#options;
    try {
      return cipherFrom(await service.decrypt({ ciphertext: source, keyId, annotations }), sourceType);
    } catch (cause) {
      if (!(cause instanceof KmsCallError)) throw cause;
      const message = `failed to decrypt DEK, error: ${cause.message}`;
      if (cause.isTransient) throw new StorageError('Unavailable', `KMS provider ${name}: ${message}`, { cause });
      throw new UnreadableValueError(message, { cause });
    }
  }
}

function decoded(sealed: Buffer): EncryptedObject {
  try {
    return decodeEncryptedObject(sealed);
  } catch (cause) {
    throw new UnreadableValueError((cause as Error).message, { cause });
  }
}

function cipherFrom(secret: Buffer, sourceType: number): ValueProvider {
  if (sourceType === sourceTypes.seed) {
    if (secret.length < seedSize) {
      throw new UnreadableValueError(`invalid seed length ${secret.length} used for key generation`);
    }
    return seededCipher(secret);
  }
  if (!aesKeySizes.includes(secret.length)) {
    throw new UnreadableValueError(`crypto/aes: invalid key size ${secret.length}`);
  }
  return aesGcm(createSecretKey(secret));
}

function cacheKeyOf({ keyId, source, annotations, sourceType }: EncryptedSource): string {
  const framed = encodeEncryptedObject({ keyId, source, annotations, sourceType, data: empty });
  return createHash('sha256').update(framed).digest('base64');
}

/** Formats a time as RFC 3339, in seconds. */
function timeText(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}
