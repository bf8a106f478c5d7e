import { memberAt } from '../codec/json/document-members.ts';
import type { Labels } from '../meta/label-requirement.ts';
import type { ResourceObject } from '../meta/object.ts';
import { keyOrder } from '../storage/key-order.ts';
import { StorageError } from '../storage/storage.ts';
import { metadataText } from './metadata-text.ts';
import { parseDocument } from './parse-document.ts';
import { type ObjectMemory, ownMemory, Slab } from './slab.ts';

const metadataName = Buffer.from('metadata');
const labelsName = Buffer.from('labels');
const deletionName = Buffer.from('deletionTimestamp');
const uidKey = Buffer.from('"uid":"');
const versionOpen = Buffer.from(',"resourceVersion":"');
const quote = 0x22;
const digitZero = 0x30;
const digitNine = 0x39;
const newline = 0x0a;
/** Marks a document that contained the version from the beginning. */
const ownVersion = -1;

/** Derives values from an object. The values must not depend on the resource version. */
export type ValuesOf = (object: StoredObject) => readonly string[];

/** A value in storage. */
export interface ObjectValue {
  readonly key: string;
  readonly value: Buffer;
  /** The revision of the commit that wrote the value. */
  readonly revision: number;
  readonly isKept?: boolean | undefined;
}

interface ObjectFields {
  readonly key: string;
  readonly revision: number;
  readonly size: number;
  readonly slab: Slab;
  /** The offset of the bytes in the slab. */
  readonly start: number;
  readonly versionStart: number;
}

interface CachedValues {
  readonly of: ValuesOf;
  readonly values: readonly string[];
  /** The values of another function. Two entries are enough for types that are served in two versions. */
  readonly others: CachedValues | undefined;
}

/**
 * One object in the encoding in which the server caches and sends it, including its resource version.
 *
 * The value in storage has no resourceVersion, because it is known only after the commit. It is inserted after
 * `metadata.uid`, which every stored object has and which precedes all free-form content, so it can be found without
 * parsing.
 */
export class StoredObject {
  readonly key: string;
  /** The sort key, see `keyOrder`. */
  readonly order: string;
  /** The number in `metadata.resourceVersion`. */
  readonly revision: number;
  /** The length of `bytes`. */
  readonly size: number;
  #slab: Slab;
  /** The offset of the bytes in the slab. */
  #start: number;
  readonly #versionStart: number;
  /** Null if there are no labels; undefined until first use. */
  #labels: Labels | null | undefined;
  #values: CachedValues | undefined;

  private constructor(fields: ObjectFields) {
    this.key = fields.key;
    this.order = keyOrder(fields.key);
    this.revision = fields.revision;
    this.size = fields.size;
    this.#slab = fields.slab;
    this.#start = fields.start;
    this.#versionStart = fields.versionStart;
  }

  /**
   * Creates an object from the bytes in storage and the revision of the commit that wrote them. The bytes are copied,
   * unless they are kept in memory that other threads share.
   */
  static fromValue(
    { key, value, revision, isKept = false }: ObjectValue,
    memory: ObjectMemory = ownMemory,
  ): StoredObject {
    const uidStart = value.indexOf(uidKey, metadataStart(value));
    const versionStart = uidStart < 0 ? 0 : value.indexOf(quote, uidStart + uidKey.length) + 1;
    if (versionStart === 0) throw new StorageError('Corrupt', 'the value is not an encoded object');
    if (isKept && memory.refer !== undefined) {
      const size = value.length + versionOpen.length + String(revision).length + 2;
      const slab = memory.refer(value.buffer, size);
      return new StoredObject({ key, revision, size, slab, start: value.byteOffset, versionStart });
    }
    const source = { memory: value, start: 0, version: versionStart, rest: versionStart, end: value.length };
    return StoredObject.#withVersion({ key, revision }, source, memory);
  }

  static #withVersion(
    { key, revision }: { key: string; revision: number },
    source: VersionSource,
    memory: ObjectMemory,
  ): StoredObject {
    const digits = String(revision);
    const { start, version, rest, end } = source;
    const size = version - start + versionOpen.length + digits.length + 1 + (end - rest) + 1;
    const slab = memory.take(size);
    slab.memory[writeWithVersion(source, digits, { memory: slab.memory, at: slab.used - size })] = newline;
    return new StoredObject({ key, revision, size, slab, start: slab.used - size, versionStart: version - start });
  }

  /**
   * An object that no storage has written. The document ends with a line feed and states its version, if it has one, as
   * `revision`. It cannot be compared with values of storage or get another revision.
   */
  static fromDocument({ key, document, revision }: { key: string; document: Buffer; revision: number }): StoredObject {
    const slab = Slab.full(document);
    return new StoredObject({ key, revision, size: document.length, slab, start: 0, versionStart: ownVersion });
  }

  /**
   * The JSON document including its resourceVersion, followed by a line feed. Never modified. A new view with every
   * call, so use `size` for its length.
   */
  get bytes(): Buffer {
    if (!this.#slab.isShared) return this.#slab.memory.subarray(this.#start, this.#start + this.size);
    const document = Buffer.allocUnsafe(this.size);
    document[this.copyTo(document, 0, 0)] = newline;
    return document;
  }

  /** The slab that contains the bytes. */
  get slab(): Slab {
    return this.#slab;
  }

  /** Moves the bytes. Views of them stay valid. */
  moveTo(memory: ObjectMemory): void {
    const slab = memory.take(this.size);
    const start = slab.used - this.size;
    slab.memory[start + this.copyTo(slab.memory, start, 0)] = newline;
    this.#slab = slab;
    this.#start = start;
  }

  /** Called when storage has moved a value that other threads share. */
  valueMoved(value: Buffer, memory: Required<ObjectMemory>): void {
    this.#slab = memory.refer(value.buffer, this.size);
    this.#start = value.byteOffset;
  }

  /**
   * Copies the document without its first bytes, which are before its version, and its line feed. Returns the number of
   * bytes copied.
   */
  copyTo(target: Buffer, at: number, from: number): number {
    if (this.#slab.isShared) {
      const { start, ...source } = this.#source;
      return writeWithVersion({ ...source, start: start + from }, String(this.revision), { memory: target, at }) - at;
    }
    return this.#slab.memory.copy(target, at, this.#start + from, this.#start + this.size - 1);
  }

  get #hasOwnVersion(): boolean {
    return this.#versionStart === ownVersion;
  }

  /** The same object with another resourceVersion, as sent to watchers of a deletion. */
  withRevision(revision: number): StoredObject {
    if (this.#hasOwnVersion) throw new TypeError(`${this.key} has not been stored`);
    const copy = StoredObject.#withVersion({ key: this.key, revision }, this.#source, ownMemory);
    copy.#labels = this.#labels;
    copy.#values = this.#values;
    return copy;
  }

  /** True if the value, encoded for storage, equals this object, so that writing it would change nothing. */
  isEncodedAs(value: Buffer): boolean {
    if (this.#hasOwnVersion) return false;
    const end = this.#versionEnd;
    const version = this.#versionStart;
    if (value.length !== this.size - 1 - (end - version)) return false;
    const { memory, isShared } = this.#slab;
    const start = this.#start;
    if (isShared) return value.compare(memory, start, start + value.length) === 0;
    return (
      value.compare(memory, start, start + version, 0, version) === 0 &&
      value.compare(memory, start + end, start + this.size - 1, version) === 0
    );
  }

  /**
   * Returns a copy that the caller may modify, except for the field sets in `metadata.managedFields`, which are shared.
   */
  parse(): ResourceObject {
    return parseDocument(this.bytes);
  }

  /** The labels, for selectors; parsed on first use and cached. Undefined when there are none. */
  get labels(): Labels | undefined {
    if (this.#labels === undefined) this.#labels = this.#readLabels();
    return this.#labels ?? undefined;
  }

  /** The values that the function derives from the object; computed on first use and cached. */
  values(of: ValuesOf): readonly string[] {
    const cached = this.#values;
    if (cached?.of === of) return cached.values;
    if (cached?.others?.of === of) return cached.others.values;
    const values = of(this);
    this.#values = { of, values, others: cached && { ...cached, others: undefined } };
    return values;
  }

  /** Whether the deletion of the object has begun. */
  get isBeingDeleted(): boolean {
    const text = this.#metadataText(deletionName);
    return text === undefined ? this.parse().metadata.deletionTimestamp !== undefined : text !== '';
  }

  #readLabels(): Labels | null {
    const text = this.#metadataText(labelsName);
    if (text === '' || text === '{}') return null;
    const labels = text === undefined ? this.parse().metadata.labels : (JSON.parse(text) as Labels | null);
    return labels ?? null;
  }

  #metadataText(name: Buffer): string | undefined {
    const { memory, start, end } = this.#source;
    return metadataText(memory.subarray(start, end), name);
  }

  /** The location of the bytes without the version. */
  get #source(): VersionSource {
    const { memory, isShared } = this.#slab;
    const start = this.#start;
    const version = start + this.#versionStart;
    const versionLength = this.#versionEnd - this.#versionStart;
    const end = start + this.size - 1;
    return isShared
      ? { memory, start, version, rest: version, end: end - versionLength }
      : { memory, start, version, rest: version + versionLength, end };
  }

  get #versionEnd(): number {
    return this.#versionStart + versionOpen.length + String(this.revision).length + 1;
  }
}

/** A document without a line feed, from `start` to `end`. A version is inserted between `version` and `rest`. */
interface VersionSource {
  readonly memory: Buffer;
  readonly start: number;
  readonly version: number;
  readonly rest: number;
  readonly end: number;
}

/**
 * Returns the offset after the bytes. Copies by offsets, because creating a subarray view costs more than copying its
 * bytes.
 */
function writeWithVersion(
  { memory: source, start, version, rest, end }: VersionSource,
  digits: string,
  { memory, at: first }: { readonly memory: Buffer; readonly at: number },
): number {
  let at = first;
  at += source.copy(memory, at, start, version);
  at += versionOpen.copy(memory, at);
  at += memory.write(digits, at, 'latin1');
  memory[at++] = quote;
  return at + source.copy(memory, at, rest, end);
}

/**
 * Objects begin with kind, apiVersion and metadata, so that the first uid is theirs. In a custom object, JavaScript
 * puts fields with integer names before them.
 */
function metadataStart(value: Buffer): number {
  const first = value[2] ?? 0;
  return first >= digitZero && first <= digitNine ? Math.max(memberAt(value, 0, metadataName), 0) : 0;
}
