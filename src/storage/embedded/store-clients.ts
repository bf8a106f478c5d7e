import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { type Change, StorageError } from '../storage.ts';
import { integrity } from './integrity.ts';
import { numbersPerLocation } from './kept-slabs.ts';
import { KeptValues } from './kept-values.ts';
import { type PackedVersions, packVersions, type Version } from './packed-versions.ts';
import type { KeptMessage, PublishedMessage, RequestMessage } from './protocol.ts';
import { type CommittedEvent, EventSlabs } from './published-events.ts';
import type { SharedNumbers } from './shared-numbers.ts';
import type { Committed } from './store.ts';

/** A thread that uses the store. */
export interface StoreClient {
  readonly port: MessagePort;
  /** The memory of its batches. */
  memory: SharedArrayBuffer;
}

export interface CommitMessage {
  readonly client: StoreClient;
  readonly message: Extract<RequestMessage, { operation: 'commit' }>;
}

export type OtherMessage = Exclude<RequestMessage, { operation: 'commit' }>;

interface ReceivedMessage {
  readonly client: StoreClient;
  readonly message: OtherMessage;
}

interface ConnectedClient extends StoreClient {
  /** The slab of events that the thread has received. */
  slab: SharedArrayBuffer | undefined;
}

/** The result of reading a range. */
interface FoundVersions {
  readonly versions: readonly Version[];
  readonly isCurrent: (key: string, revision: number) => boolean;
}

interface KeptVersions {
  readonly kept: Float64Array;
  readonly versions: PackedVersions;
}

const empty = Buffer.alloc(0);

/** The maximum number of bytes of events that a thread has not delivered yet. */
const maxUndelivered = 256 * 1024 * 1024;
/** The memory of delivered events is released after this many bytes of events. */
const lookAfter = 8 * 1024 * 1024;

/** Worker side: the threads of a shared store, which all get the events of every commit. */
export class StoreClients {
  readonly numbers: SharedNumbers;
  readonly #slabs = new EventSlabs();
  readonly #kept = new KeptValues((message) => this.#notify(message));
  readonly #clients = new Set<ConnectedClient>();
  readonly #slots = new Map<number, ConnectedClient>();
  /** Published events that may not have been processed by all threads. */
  #published: { readonly revision: number; readonly bytes: number }[] = [];
  #publishedBytes = 0;

  constructor(numbers: SharedNumbers) {
    this.numbers = numbers;
  }

  /** Adds a thread. From now on it gets all events, and its messages are received until it closes its port or ends. */
  add(
    { port, slot }: { readonly port: MessagePort; readonly slot: number },
    receive: (client: StoreClient, message: RequestMessage) => void,
  ): void {
    const client: ConnectedClient = { port, memory: new SharedArrayBuffer(0), slab: undefined };
    this.#clients.add(client);
    this.#slots.set(slot, client);
    this.numbers.vacate(slot);
    this.numbers.deliver(slot, this.numbers.revision);
    port.postMessage(this.#kept.slabs);
    port.on('message', (message: RequestMessage) => receive(client, message));
    port.on('close', () => {
      this.#clients.delete(client);
      // Another thread may already use the slot.
      if (this.#slots.get(slot) === client) this.numbers.vacate(slot);
    });
  }

  /**
   * Returns the pending commits, at most one per thread, and the earlier requests of their threads. The earlier
   * requests must be handled first, because the requests of a thread are answered in order.
   */
  gather(first: CommitMessage): { readonly commits: CommitMessage[]; readonly earlier: ReceivedMessage[] } {
    const commits = [first];
    const earlier: ReceivedMessage[] = [];
    for (const client of this.#clients) {
      if (client === first.client) continue;
      for (let next = received(client); next !== undefined; next = received(client)) {
        if (next.operation === 'commit') {
          commits.push({ client, message: next });
          break;
        }
        earlier.push({ client, message: next });
      }
    }
    return { commits, earlier };
  }

  /** Throws `Unavailable` when the undelivered events of a slow thread would take too much memory. */
  checkRoom(): void {
    if (this.#publishedBytes < lookAfter) return;
    const delivered = this.numbers.deliveredByAll() ?? Number.POSITIVE_INFINITY;
    const rest = this.#published.findIndex(({ revision }) => revision > delivered);
    this.#published = rest === -1 ? [] : this.#published.slice(rest);
    this.#publishedBytes = this.#published.reduce((sum, { bytes }) => sum + bytes, 0);
    if (this.#publishedBytes < maxUndelivered) return;
    throw new StorageError('Unavailable', 'a thread of the server is too far behind');
  }

  /** Sends the events of a batch to all threads. Afterwards its revision is the latest one. */
  publish(changes: readonly Change[], { revision, revisions, found }: Committed): void {
    const events: CommittedEvent[] = [];
    changes.forEach(({ key, value }, index) => {
      const committed = revisions[index] ?? 0;
      if (committed === 0) return;
      const kept = this.#kept.changed(key, committed, value);
      events.push({ key, value, revision: committed, previous: found[index], kept });
    });
    if (events.length === 0) return;
    const { slab, offset, bytes } = this.#slabs.pack(events, { withPrevious: this.numbers.isPreviousWanted });
    for (const client of this.#clients) {
      const published = { count: events.length, offset, slab: client.slab === slab ? undefined : slab };
      client.slab = slab;
      client.port.postMessage({ published } satisfies PublishedMessage);
    }
    const keptBytes = events.reduce((sum, { kept }) => sum + (kept?.length ?? 0), 0);
    this.#published.push({ revision, bytes: bytes + keptBytes });
    this.#publishedBytes += bytes + keptBytes;
    this.numbers.revision = revision;
    this.#kept.compact();
  }

  /** Stores values that a thread keeps in memory that all threads share. */
  keep(prefix: string, keys: readonly string[], { versions, isCurrent }: FoundVersions): KeptVersions {
    this.#kept.keep(prefix);
    const kept = new Float64Array(keys.length * numbersPerLocation);
    const rest = versions.map((version, index) => {
      if (version.integrity !== integrity.intact) return version;
      const key = keys[index]!;
      const location = this.#kept.found(key, version, () => isCurrent(key, version.modRevision));
      if (location === undefined) return version;
      kept.set([location.slab.id, location.offset, location.length], index * numbersPerLocation);
      return { ...version, value: empty };
    });
    return { kept, versions: packVersions(rest) };
  }

  #notify(message: KeptMessage): void {
    for (const { port } of this.#clients) port.postMessage(message);
  }

  close(): void {
    for (const { port } of this.#clients) port.close();
  }
}

function received({ port }: StoreClient): RequestMessage | undefined {
  return receiveMessageOnPort(port)?.message;
}
