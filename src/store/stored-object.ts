import { memberAt } from '../codec/json/document-members.ts';
import type { Labels } from '../meta/label-requirement.ts';
import type { ResourceObject } from '../meta/object.ts';
import { keyOrder } from '../storage/key-order.ts';
import { StorageError } from '../storage/storage.ts';
import { labelsText } from './labels-text.ts';
import { parseDocument } from './parse-document.ts';

const metadataName = Buffer.from('metadata');
const uidKey = Buffer.from('"uid":"');
const versionOpen = Buffer.from(',"resourceVersion":"');
const quote = 0x22;
const digitZero = 0x30;
const digitNine = 0x39;
const newline = 0x0a;
/** The version was part of the document from the beginning. */
const notSpliced = -1;

/** Derives values from an object. The values must not depend on the resource version. */
export type ValuesOf = (object: StoredObject) => readonly string[];

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
  /** The JSON document including its resourceVersion, followed by a line feed. Never modified. */
  readonly bytes: Buffer;
  readonly #versionStart: number;
  /** Null if there are no labels; undefined until first use. */
  #labels: Labels | null | undefined;
  #values: CachedValues | undefined;

  private constructor(fields: { key: string; revision: number; bytes: Buffer; versionStart: number }) {
    this.key = fields.key;
    this.order = keyOrder(fields.key);
    this.revision = fields.revision;
    this.bytes = fields.bytes;
    this.#versionStart = fields.versionStart;
  }

  /** Creates an object from the bytes in storage and the revision of the commit that wrote them. */
  static fromValue({ key, value, revision }: { key: string; value: Buffer; revision: number }): StoredObject {
    const uidStart = value.indexOf(uidKey, metadataStart(value));
    const versionStart = uidStart < 0 ? 0 : value.indexOf(quote, uidStart + uidKey.length) + 1;
    if (versionStart === 0) throw new StorageError('Corrupt', 'the value is not an encoded object');
    const bytes = withVersion(value, { start: versionStart, end: versionStart, length: value.length, revision });
    return new StoredObject({ key, revision, bytes, versionStart });
  }

  /**
   * An object that no storage has written. The document ends with a line feed and states its version, if it has one, as
   * `revision`. It cannot be compared with values of storage or get another revision.
   */
  static fromDocument({ key, document, revision }: { key: string; document: Buffer; revision: number }): StoredObject {
    return new StoredObject({ key, revision, bytes: document, versionStart: notSpliced });
  }

  /** The same object with another resourceVersion, as sent to watchers of a deletion. */
  withRevision(revision: number): StoredObject {
    if (this.#versionStart === notSpliced) throw new TypeError(`${this.key} has not been stored`);
    const range = { start: this.#versionStart, end: this.#versionEnd, length: this.bytes.length - 1 };
    const bytes = withVersion(this.bytes, { ...range, revision });
    const copy = new StoredObject({ key: this.key, revision, bytes, versionStart: this.#versionStart });
    copy.#labels = this.#labels;
    copy.#values = this.#values;
    return copy;
  }

  /** True if the value, encoded for storage, equals this object, so that writing it would change nothing. */
  isEncodedAs(value: Buffer): boolean {
    if (this.#versionStart === notSpliced) return false;
    const end = this.#versionEnd;
    const start = this.#versionStart;
    return (
      value.length === this.bytes.length - 1 - (end - start) &&
      value.compare(this.bytes, 0, start, 0, start) === 0 &&
      value.compare(this.bytes, end, this.bytes.length - 1, start) === 0
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

  #readLabels(): Labels | null {
    const text = labelsText(this.bytes);
    if (text === '{}') return null;
    const labels = text === undefined ? this.parse().metadata.labels : (JSON.parse(text) as Labels | null);
    return labels ?? null;
  }

  get #versionEnd(): number {
    return this.#versionStart + versionOpen.length + String(this.revision).length + 1;
  }
}

interface VersionRange {
  /** The bytes from `start` to `end` are replaced. */
  readonly start: number;
  readonly end: number;
  /** The length of the document without a line feed. */
  readonly length: number;
  readonly revision: number;
}

/** Copies by offsets, because creating a subarray view costs more than copying its bytes. */
function withVersion(source: Buffer, { start, end, length, revision }: VersionRange): Buffer {
  const digits = String(revision);
  // Not from the pool: a long-lived object would keep a whole 8 KiB pool block alive.
  const bytes = Buffer.allocUnsafeSlow(start + versionOpen.length + digits.length + 1 + (length - end) + 1);
  let at = source.copy(bytes, 0, 0, start);
  at += versionOpen.copy(bytes, at);
  at += bytes.write(digits, at, 'latin1');
  bytes[at++] = quote;
  at += source.copy(bytes, at, end, length);
  bytes[at] = newline;
  return bytes;
}

/**
 * Objects begin with kind, apiVersion and metadata, so that the first uid is theirs. In a custom object, JavaScript
 * puts fields before them whose names are integers.
 */
function metadataStart(value: Buffer): number {
  const first = value[2] ?? 0;
  return first >= digitZero && first <= digitNine ? Math.max(memberAt(value, 0, metadataName), 0) : 0;
}
