import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import { internalError, StatusError } from '../meta/status-error.ts';
import { Turn } from '../meta/turns.ts';
import type { StoredObject } from '../store/index.ts';
import type { VersionConverter } from './resource-definition.ts';

export interface ServedDocumentsOptions {
  readonly apiVersion: string;
  readonly converter: VersionConverter;
  /** Prunes and defaults an object of the served version. */
  readonly normalize: (object: ResourceObject) => ResourceObject;
  readonly encode: (object: ResourceObject) => Buffer;
}

/** How many objects one conversion may comprise. */
const maxBatch = 500;

/**
 * The documents of one served version of a type whose stored objects may be of other versions, or older than its
 * schema. Each document is made once per object. Most objects are served as they are stored.
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

  /** Makes the documents of these objects. Afterwards `document` can be called for them. Undefined: they are ready. */
  ready(objects: readonly StoredObject[]): Promise<void> | undefined {
    const missing = objects.filter((object) => !this.#isReady(object));
    if (missing.length === 0) return undefined;
    if (missing.length === 1 && this.#options.converter.isSynchronous) {
      this.#make(missing);
      return undefined;
    }
    return this.#makeInTurns(missing);
  }

  document(stored: StoredObject): Buffer {
    if (this.isAsStored(stored)) return stored.bytes;
    const known = this.#documents.get(stored);
    if (known !== undefined) return known;
    if (this.#make([stored]) !== undefined) throw new TypeError(`${stored.key} has not been converted`);
    return this.#documents.get(stored) ?? stored.bytes;
  }

  /** Whether the object is known to be served as it is stored. */
  isAsStored(stored: StoredObject): boolean {
    if (this.#current.has(stored)) return true;
    const value = this.#written.get(stored.key);
    if (value === undefined || !stored.isEncodedAs(value)) return false;
    this.#current.add(stored);
    return true;
  }

  /** Notes that this value is about to be stored under the key, until `forget`. */
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
    const { apiVersion, converter } = this.#options;
    const parsed = objects.map((object) => object.parse());
    const converted = converter.convert(parsed, apiVersion);
    if (converted instanceof Promise) {
      return converted.then((result) => this.#keep(objects, result));
    }
    return this.#keep(objects, converted);
  }

  #keep(objects: readonly StoredObject[], converted: readonly ResourceObject[]): undefined {
    const { normalize, encode } = this.#options;
    for (const [index, stored] of objects.entries()) {
      const document = encode(normalized(converted[index]!, normalize));
      if (document.equals(stored.bytes)) this.#current.add(stored);
      else this.#documents.set(stored, document);
    }
  }
}

/** Only the metadata of an object can have values that its type does not allow. */
function normalized(object: ResourceObject, normalize: ServedDocumentsOptions['normalize']): ResourceObject {
  try {
    return normalize(object);
  } catch (error) {
    if (error instanceof StatusError) throw error;
    throw internalError((error as Error).message, { cause: error });
  }
}
