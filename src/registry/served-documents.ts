import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import { internalError, StatusError } from '../meta/status-error.ts';
import { Turn } from '../meta/turns.ts';
import type { Decide, Decision, ObjectStore, Outcome, StoredObject, UpdateOptions } from '../store/index.ts';
import type { VersionConverter } from './resource-definition.ts';

export interface ServedDocumentsOptions {
  readonly apiVersion: string;
  readonly converter: VersionConverter;
  /** Prunes and defaults an object by the schema of the version in which it is stored. */
  readonly normalizeStored: (object: ResourceObject) => ResourceObject;
  /** Prunes a converted object by the schema of the served version, whose defaults are for requests only. */
  readonly prune: (object: ResourceObject) => ResourceObject;
  readonly encode: (object: ResourceObject) => Buffer;
}

/** The maximum number of objects in one conversion. */
const maxBatch = 500;

/**
 * The documents of one served version of a type whose stored objects may be of other versions, or older than its
 * schema. Each document is built once per object. Most objects are served as they are stored.
 */
export class ServedDocuments {
  readonly #options: ServedDocumentsOptions;
  /** Objects that are served as they are stored. */
  readonly #current = new WeakSet<StoredObject>();
  readonly #documents = new WeakMap<StoredObject, Buffer>();
  /** The values that are being committed, by key. They are in their final form. */
  readonly #written = new Map<string, Buffer>();

  constructor(options: ServedDocumentsOptions) {
    this.#options = options;
  }

  /** Builds the documents of these objects. Afterwards `document` can be called for them. Undefined: they are ready. */
  ready(objects: readonly StoredObject[]): Promise<void> | undefined {
    const missing = objects.filter((object) => !this.#isReady(object));
    if (missing.length === 0) return undefined;
    if (missing.length === 1 && this.#options.converter.isSynchronous) {
      this.#make(missing);
      return undefined;
    }
    return this.#makeInTurns(missing);
  }

  /**
   * Changes one object like `ObjectStore.update`. The current object that `decide` gets is ready, and so is the
   * resulting one. `isAsStored`: a value that `decide` returns is in the served version.
   */
  async update(
    store: ObjectStore,
    key: string,
    { decide, options, isAsStored }: { decide: Decide; options: UpdateOptions | undefined; isAsStored: boolean },
  ): Promise<Outcome> {
    const expected = (decision: Decision): Decision => {
      if (decision.action === 'put' && isAsStored) this.expect(key, decision.value);
      return decision;
    };
    const decideReady: Decide = (current) =>
      mapMaybe(current && this.ready([current]), () => mapMaybe(decide(current), expected));
    try {
      const outcome = await store.update(key, decideReady, options);
      if (outcome.object !== undefined) await this.ready([outcome.object]);
      return outcome;
    } finally {
      this.forget(key);
    }
  }

  document(stored: StoredObject): Buffer {
    if (this.isAsStored(stored)) return stored.bytes;
    const known = this.#documents.get(stored);
    if (known !== undefined) return known;
    const made = this.#make([stored]);
    if (made !== undefined) {
      // Nobody may be waiting for this promise, so its rejection must not be unhandled.
      made.catch(() => {});
      throw new TypeError(`${stored.key} has not been converted`);
    }
    return this.#documents.get(stored) ?? stored.bytes;
  }

  /** The document of an object in the stored version, which is not stored. */
  documentOf(object: ResourceObject): MaybePromise<Buffer> {
    const { apiVersion, converter, normalizeStored, prune, encode } = this.#options;
    const converted = converter.convert([checked(object, normalizeStored)], apiVersion);
    return mapMaybe(converted, ([served]) => encode(checked(served!, prune)));
  }

  /** Whether the object is known to be served as it is stored. */
  isAsStored(stored: StoredObject): boolean {
    if (this.#current.has(stored)) return true;
    const value = this.#written.get(stored.key);
    if (value === undefined || !stored.isEncodedAs(value)) return false;
    this.#current.add(stored);
    return true;
  }

  /** Records that this value is about to be stored under the key, until `forget`. */
  expect(key: string, value: Buffer): void {
    this.#written.set(key, value);
  }

  forget(key: string): void {
    this.#written.delete(key);
  }

  #isReady(stored: StoredObject): boolean {
    return this.isAsStored(stored) || this.#documents.has(stored);
  }

  async #makeInTurns(missing: readonly StoredObject[]): Promise<void> {
    const turn = new Turn();
    const size = this.#options.converter.isSynchronous ? 16 : maxBatch;
    for (let start = 0; start < missing.length; start += size) {
      await this.#make(missing.slice(start, start + size));
      if (turn.isOver) await turn.next();
    }
  }

  #make(objects: readonly StoredObject[]): MaybePromise<undefined> {
    const { apiVersion, converter, normalizeStored } = this.#options;
    const parsed = objects.map((object) => checked(object.parse(), normalizeStored));
    const pending = objects.map((stored, index) => ({ stored, isOther: parsed[index]!.apiVersion !== apiVersion }));
    const converted = converter.convert(parsed, apiVersion);
    if (converted instanceof Promise) {
      return converted.then((result) => this.#keep(pending, result));
    }
    return this.#keep(pending, converted);
  }

  #keep(pending: readonly PendingDocument[], converted: readonly ResourceObject[]): undefined {
    const { prune, encode } = this.#options;
    for (const [index, { stored, isOther }] of pending.entries()) {
      const object = converted[index]!;
      const document = encode(isOther ? checked(object, prune) : object);
      if (document.equals(stored.bytes)) this.#current.add(stored);
      else this.#documents.set(stored, document);
    }
  }
}

interface PendingDocument {
  readonly stored: StoredObject;
  /** Whether the object is stored in another version than the served one. */
  readonly isOther: boolean;
}

/** Only the metadata of an object can have values that its type does not allow. */
function checked(object: ResourceObject, normalize: ServedDocumentsOptions['prune']): ResourceObject {
  try {
    return normalize(object);
  } catch (error) {
    if (error instanceof StatusError) throw error;
    throw internalError((error as Error).message, { cause: error });
  }
}
