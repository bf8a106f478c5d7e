import { keyOrder } from '../key-order.ts';
import { prefixEnd } from '../storage.ts';

export interface KeySpaceOptions {
  /** The common prefix of all keys of the store. */
  readonly root: string;
  /** The prefix in etcd that replaces it. */
  readonly prefix: string;
}

export interface EtcdRange {
  readonly key: string;
  /** Exclusive. */
  readonly end: string;
}

/** Maps the store's keys to keys in etcd by replacing the root with the prefix. */
export class KeySpace {
  readonly #root: string;
  readonly #prefix: string;
  readonly #same: boolean;

  constructor({ root, prefix }: KeySpaceOptions) {
    this.#root = root;
    this.#prefix = prefix;
    this.#same = root === prefix;
  }

  /** All keys of the store. */
  get all(): EtcdRange {
    const key = `${this.#prefix}/`;
    return { key, end: prefixEnd(key) };
  }

  /** Returns the part of a range that belongs to the store. */
  range(start: string, end: string): EtcdRange {
    return { key: this.#bound(start), end: this.#bound(end) };
  }

  /** The keys with a prefix. */
  withPrefix(prefix: string): EtcdRange {
    return prefix === '' ? this.all : this.range(prefix, prefixEnd(prefix));
  }

  /** A key that never exists. */
  get absent(): string {
    return `${this.#prefix}/\0`;
  }

  toEtcd(key: string): string {
    if (this.#same) return key;
    if (!key.startsWith(this.#root)) throw new RangeError(`the key ${key} does not start with ${this.#root}`);
    return this.#prefix + key.slice(this.#root.length);
  }

  fromEtcd(key: string): string {
    return this.#same ? key : this.#root + key.slice(this.#prefix.length);
  }

  #bound(key: string): string {
    const first = `${this.#root}/`;
    const order = keyOrder(key);
    if (order <= keyOrder(first)) return this.all.key;
    return order >= keyOrder(prefixEnd(first)) ? this.all.end : this.toEtcd(key);
  }

  has(etcdKey: string): boolean {
    return etcdKey.startsWith(this.#prefix) && etcdKey.charCodeAt(this.#prefix.length) === 0x2f;
  }
}
