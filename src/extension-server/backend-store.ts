import { isDeepStrictEqual } from 'node:util';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import { methodNotSupported, notFound, StatusError, tooManyRequests } from '../meta/status-error.ts';
import {
  type Decide,
  type Decision,
  type ListResult,
  type ObjectStore,
  type ObjectWatch,
  type Outcome,
  parseDocument,
  type StoredObject,
} from '../store/index.ts';
import type { ListOptions, WatchOptions } from '../store/object-store.ts';
import type { BackendObjectCodec } from './backend-object-codec.ts';
import type { Backend, BackendObject, ItemRequest } from './define-resource.ts';
import { currentRequest } from './request-scope.ts';

/** The maximum number of retries of a write after conflicts in the backend. */
const maxAttempts = 8;
/**
 * The maximum number of waiting writes for one object. Without a limit, a backend that does not respond would let the
 * queue grow forever.
 */
const maxWaiting = 1000;

type Write = Exclude<Decision, { action: 'keep' }>;

export type AnyBackend = Backend<BackendObject>;

/**
 * The objects of one type in a backend of the user. This class implements writes: it reads the object, decides, and
 * calls the function of the backend. Writes of one object happen one after another, so that none is lost even if the
 * backend compares no versions.
 */
export abstract class BackendStore implements ObjectStore {
  protected readonly backend: AnyBackend;
  protected readonly codec: BackendObjectCodec;
  /** The objects that are being written, by key. */
  readonly #writing = new Map<string, { last: Promise<unknown>; count: number }>();

  constructor(backend: AnyBackend, codec: BackendObjectCodec) {
    this.backend = backend;
    this.codec = codec;
  }

  abstract get(key: string): MaybePromise<StoredObject | undefined>;
  abstract list(options: ListOptions): MaybePromise<ListResult>;
  abstract watch(options: WatchOptions): Promise<ObjectWatch>;
  abstract revision(): MaybePromise<number>;
  abstract oldestRevision(): number;

  reached(): number {
    const revision = this.revision();
    return typeof revision === 'number' ? revision : 0;
  }

  /** The object as returned by the backend, with its version. */
  protected abstract original(stored: StoredObject): BackendObject;
  /** Reads the object from the backend after a write has failed. */
  protected abstract reread(key: string): MaybePromise<StoredObject | undefined>;
  /** Called after the backend has stored the object. */
  protected abstract stored(key: string, object: BackendObject): MaybePromise<StoredObject>;
  /** Called after the backend has deleted the object. Returns its last state. */
  protected abstract deleted(last: StoredObject): MaybePromise<StoredObject>;

  async update(key: string, decide: Decide): Promise<Outcome> {
    const writes = this.#writing.get(key) ?? { last: Promise.resolve(), count: 0 };
    if (writes.count === maxWaiting)
      throw tooManyRequests('too many writes wait for the backend of this object', [], 1);
    const write = writes.last.then(() => this.#update(key, decide));
    writes.last = write.catch(() => {});
    writes.count++;
    this.#writing.set(key, writes);
    try {
      return await write;
    } finally {
      if (--writes.count === 0) this.#writing.delete(key);
    }
  }

  async #update(key: string, decide: Decide): Promise<Outcome> {
    let current = await this.get(key);
    for (let attempt = 1; ; attempt++) {
      const decision = await decide(current);
      if (decision.action === 'keep' || this.#isDone(decision, current)) return { object: current, changed: false };
      try {
        return { object: await this.#write(key, decision, current), changed: true };
      } catch (error) {
        if (attempt === maxAttempts || !isLostRace(error)) throw error;
        current = await this.reread(key);
      }
    }
  }

  /** Whether the decision would change nothing. */
  #isDone(decision: Write, current: StoredObject | undefined): boolean {
    if (decision.action === 'delete' || current === undefined)
      return decision.action === 'delete' && current === undefined;
    const next = parseDocument(decision.value);
    const before = current.parse();
    delete before.metadata.resourceVersion;
    return isDeepStrictEqual(next, before);
  }

  async #write(key: string, decision: Write, current: StoredObject | undefined): Promise<StoredObject> {
    const request = this.request(key);
    const old = current && this.original(current);
    if (decision.action === 'delete') {
      await this.#function('delete')({ ...request, object: old! });
      return this.deleted(current!);
    }
    const object = parseDocument(decision.value);
    if (old === undefined) {
      // A write to an object that does not exist creates it only where objects can be created.
      if (this.backend.create === undefined) throw notFound(this.codec.groupResource, request.name);
      return this.stored(key, (await this.backend.create({ ...request, object })) ?? object);
    }
    withVersion(object, old.metadata.resourceVersion);
    return this.stored(key, (await this.#function('update')({ ...request, object, oldObject: old })) ?? object);
  }

  #function<Name extends 'update' | 'delete'>(name: Name): NonNullable<AnyBackend[Name]> {
    const { backend } = this;
    if (backend[name] === undefined) throw methodNotSupported(this.codec.groupResource, name);
    return backend[name].bind(backend) as NonNullable<AnyBackend[Name]>;
  }

  protected request(key: string): ItemRequest {
    const { user, signal } = currentRequest();
    return { ...this.codec.item(key), user, signal };
  }
}

function withVersion(object: ResourceObject, version: string | undefined): void {
  if (version !== undefined) object.metadata.resourceVersion = version;
}

/** Whether the state of the object in the backend is not the one that the write was decided on. */
function isLostRace(error: unknown): boolean {
  if (!(error instanceof StatusError)) return false;
  const { code, reason } = error.status;
  return code === 404 || (code === 409 && (reason === 'Conflict' || reason === 'AlreadyExists'));
}
