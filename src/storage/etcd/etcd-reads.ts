import type { RangeOptions, RangeResult, StoredEntry } from '../storage.ts';
import type { EtcdCalls } from './etcd-calls.ts';
import { isResponseTooLarge } from './etcd-failure.ts';
import { type EtcdHistory, readable } from './etcd-history.ts';
import type { KeySpace } from './key-space.ts';
import type { RangeRequest, RangeResponse } from './messages.ts';
import { entryOf } from './revision-stream.ts';

const firstPage = 500;
const maxPage = 10_000;
const wantedBytes = 4 * 1024 * 1024;

/** Reads entries at the latest revision or at a past one. Long ranges are read in pages, all at one revision. */
export class EtcdReads {
  readonly #calls: EtcdCalls;
  readonly #keys: KeySpace;
  readonly #history: EtcdHistory;

  constructor({ calls, keys, history }: { calls: EtcdCalls; keys: KeySpace; history: EtcdHistory }) {
    this.#calls = calls;
    this.#keys = keys;
    this.#history = history;
  }

  /** The latest revision, by a linearizable read. */
  async latestRevision(): Promise<number> {
    return (await this.#read({ key: this.#keys.absent })).revision;
  }

  async get(key: string, revision: number | undefined): Promise<StoredEntry | undefined> {
    const { kvs } = await this.#read({ key: this.#keys.toEtcd(key), revision: readable(revision) });
    return kvs[0] && entryOf(kvs[0], key);
  }

  async range(options: RangeOptions): Promise<RangeResult> {
    const { start, end, limit = Number.POSITIVE_INFINITY, count = false } = options;
    const { key, end: last } = this.#keys.range(start, end);
    const entries: StoredEntry[] = [];
    const size = new PageSize();
    let from = key;
    let revision = readable(options.revision);
    let total: number | undefined;
    for (;;) {
      const wanted = Math.min(limit - entries.length, size.next);
      const page = await this.#page({ key: from, end: last, limit: wanted, revision, countOnly: wanted === 0 }, size);
      revision ??= page.revision;
      total ??= page.count;
      for (const kv of page.kvs) entries.push(entryOf(kv, this.#keys.fromEtcd(kv.key)));
      const isDone = wanted === 0 || !page.more || entries.length >= limit;
      if (isDone) {
        return {
          revision: options.revision ?? revision,
          entries,
          more: wanted === 0 ? page.count > 0 : page.more,
          ...(count && { count: total }),
        };
      }
      from = `${page.kvs.at(-1)!.key}\0`;
    }
  }

  async #page(request: RangeRequest, size: PageSize): Promise<RangeResponse> {
    for (let limit = request.limit ?? 0; ; limit = Math.ceil(limit / 4)) {
      try {
        const page = await this.#read({ ...request, limit: Number.isFinite(limit) ? limit : 0 });
        size.recordSizes(page.kvs.length, page.bytes);
        return page;
      } catch (error) {
        if (!isResponseTooLarge((error as Error).cause) || limit <= 1) throw error;
        size.shrink(Math.ceil(limit / 4));
      }
    }
  }

  async #read(request: RangeRequest): Promise<RangeResponse> {
    try {
      return await this.#calls.range(request);
    } catch (error) {
      throw this.#history.recordFrom(error, request.revision);
    }
  }
}

/** Determines how many entries of a long range to read at a time, so that responses have a moderate size. */
class PageSize {
  #next = firstPage;

  get next(): number {
    return this.#next;
  }

  /** Records the size of a page with this number of entries. */
  recordSizes(entries: number, bytes: number): void {
    if (entries === 0) return;
    const fitting = Math.floor((wantedBytes * entries) / bytes);
    this.#next = Math.max(1, Math.min(fitting, maxPage, this.#next * 2));
  }

  /** Records that a page with this number of entries was too large. */
  shrink(entries: number): void {
    this.#next = Math.min(this.#next, entries);
  }
}
