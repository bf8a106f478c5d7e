import { createHash } from 'node:crypto';
import type { Counter, Family, Gauge, Histogram, Meter } from '../../meta/meter.ts';
import { KmsCallError, type KmsService } from './kms-service.ts';

/** Whether a value is written or read. */
type Transformation = 'to_storage' | 'from_storage';

export interface KmsMetricsOptions {
  /** The name of the provider in the configuration. */
  readonly provider: string;
  /** The identity of the server for metric labels. */
  readonly server: string;
  readonly now?: (() => number) | undefined;
}

/** Uses of the last key, which applies to nearly all values. */
interface KeyUses {
  readonly keyId: string;
  readonly count: Counter;
  readonly last: Gauge;
}

const key = ['provider_name', 'key_id_hash', 'apiserver_id_hash'] as const;
const use = ['transformation_type', ...key] as const;
/** The maximum number of key IDs in metrics, because plugins choose the IDs. */
const limit = 100;

/** Reports the calls to a plugin and the use of its keys, under the names of kube-apiserver. */
export class KmsMetrics {
  readonly #provider: string;
  readonly #server: string;
  readonly #now: () => number;
  readonly #latencies: Family<Histogram, readonly ['provider_name', 'method_name', 'grpc_status_code']>;
  readonly #uses: Family<Counter, typeof use>;
  readonly #lastUses: Family<Gauge, typeof use>;
  readonly #statuses: Family<Gauge, typeof key>;
  readonly #invalid: Family<Counter, readonly ['provider_name', 'error']>;
  readonly #cacheSize: Gauge;
  readonly #recent: Partial<Record<Transformation, KeyUses>> = {};

  constructor(meter: Meter, { provider, server, now = Date.now }: KmsMetricsOptions) {
    const name = (tail: string): string => `apiserver_envelope_encryption_${tail}`;
    this.#provider = provider;
    this.#server = hashOf(server);
    this.#now = now;
    this.#latencies = meter.histogram({
      name: name('kms_operations_latency_seconds'),
      help: 'Duration of calls of key management services, in seconds.',
      labels: ['provider_name', 'method_name', 'grpc_status_code'],
      buckets: Array.from({ length: 20 }, (_, index) => 0.0001 * 2 ** index),
    });
    this.#uses = meter.counter({
      name: name('key_id_hash_total'),
      help: 'Values that were written or read with a key of a key management service.',
      labels: use,
      limit,
    });
    this.#lastUses = meter.gauge({
      name: name('key_id_hash_last_timestamp_seconds'),
      help: 'When a key was used last, in seconds since 1970.',
      labels: use,
      limit,
      together: 'most',
    });
    this.#statuses = meter.gauge({
      name: name('key_id_hash_status_last_timestamp_seconds'),
      help: 'When a key management service named the key in its status last, in seconds since 1970.',
      labels: key,
      limit,
      together: 'most',
    });
    this.#invalid = meter.counter({
      name: name('invalid_key_id_from_status_total'),
      help: 'Statuses of key management services with an invalid ID of a key.',
      labels: ['provider_name', 'error'],
    });
    this.#cacheSize = meter
      .gauge({
        name: name('dek_source_cache_size'),
        help: 'Decrypted seeds of keys that are kept. After a restart, so many are decrypted again.',
        labels: ['provider_name'],
      })
      .of(provider);
  }

  /** Returns the same service with its calls measured. */
  measured(service: KmsService): KmsService {
    return {
      status: () => this.#measure('Status', () => service.status()),
      encrypt: (plaintext) => this.#measure('Encrypt', () => service.encrypt(plaintext)),
      decrypt: (ciphertext) => this.#measure('Decrypt', () => service.decrypt(ciphertext)),
      close: () => service.close(),
    };
  }

  used(transformation: Transformation, keyId: string): void {
    let recent = this.#recent[transformation];
    if (recent?.keyId !== keyId) {
      const labels = [transformation, this.#provider, hashOf(keyId), this.#server] as const;
      recent = { keyId, count: this.#uses.of(...labels), last: this.#lastUses.of(...labels) };
      this.#recent[transformation] = recent;
    }
    recent.count.add();
    recent.last.set(this.#now() / 1000);
  }

  /** Records that a status contained the ID of this key. */
  named(keyId: string): void {
    this.#statuses.of(this.#provider, hashOf(keyId), this.#server).set(this.#now() / 1000);
  }

  namedInvalid(keyId: string): void {
    this.#invalid.of(this.#provider, keyId === '' ? 'empty' : 'too_long').add();
  }

  cached(seeds: number): void {
    this.#cacheSize.set(seeds);
  }

  async #measure<T>(method: string, call: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const ended = (code: string): void =>
      this.#latencies
        .of(this.#provider, `/v2.KeyManagementService/${method}`, code)
        .observe((performance.now() - startedAt) / 1000);
    try {
      const response = await call();
      ended('OK');
      return response;
    } catch (error) {
      ended(error instanceof KmsCallError ? error.code : 'unknown-non-grpc');
      throw error;
    }
  }
}

/** IDs of keys may be confidential. */
export function hashOf(text: string): string {
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
