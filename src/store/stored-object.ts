import type { Labels } from '../meta/label-requirement.ts';
import type { ResourceObject } from '../meta/object.ts';
import { keyOrder } from '../storage/key-order.ts';
import { StorageError } from '../storage/storage.ts';
import { labelsText } from './labels-text.ts';
import { parseDocument } from './parse-document.ts';

const uidKey = Buffer.from('"uid":"');
const versionOpen = Buffer.from(',"resourceVersion":"');
const quote = 0x22;
const newline = 0x0a;

/** Works out values of an object. It must give equal values for the same object under another version. */
export type ValuesOf = (object: StoredObject) => readonly string[];

interface KeptValues {
  readonly of: ValuesOf;
  readonly values: readonly string[];
  /** Those of another function. Two are enough for types that are served in two versions. */
  readonly others: KeptValues | undefined;
}

/**
 * One object as the server keeps and sends it: encoded once, with its version in place.
 *
 * In storage an object has no resourceVersion, because that is known only after the commit. It is spliced in behind
 * `metadata.uid`, which every stored object has and which stands before anything of free form, so that it can be found
 * without parsing.
 */
export class StoredObject {
  readonly key: string;
  /** The key in the form by which objects are ordered. */
  readonly order: string;
  /** The number in `metadata.resourceVersion`. */
  readonly revision: number;
  /** The JSON document with its version, followed by a line feed. Never written to. */
  readonly bytes: Buffer;
  readonly #versionStart: number;
  /** Null for none, undefined until they are asked for. */
  #labels: Labels | null | undefined;
  #values: KeptValues | undefined;

  private constructor(parts: { key: string; revision: number; bytes: Buffer; versionStart: number }) {
    this.key = parts.key;
    this.order = keyOrder(parts.key);
    this.revision = parts.revision;
    this.bytes = parts.bytes;
    this.#versionStart = parts.versionStart;
  }

  /** From the bytes in storage and the revision of the commit that wrote them. */
  static fromValue({ key, value, revision }: { key: string; value: Buffer; revision: number }): StoredObject {
    const uidStart = value.indexOf(uidKey);
    const versionStart = uidStart < 0 ? 0 : value.indexOf(quote, uidStart + uidKey.length) + 1;
    if (versionStart === 0) throw new StorageError('Corrupt', 'the value is not an encoded object');
    const bytes = withVersion(value, { start: versionStart, end: versionStart, length: value.length, revision });
    return new StoredObject({ key, revision, bytes, versionStart });
  }

  /** The same object under another version: what watchers of a deletion get. */
  withRevision(revision: number): StoredObject {
    const place = { start: this.#versionStart, end: this.#versionEnd, length: this.bytes.length - 1 };
    const bytes = withVersion(this.bytes, { ...place, revision });
    const copy = new StoredObject({ key: this.key, revision, bytes, versionStart: this.#versionStart });
    copy.#labels = this.#labels;
    copy.#values = this.#values;
    return copy;
  }

  /** True when the value, encoded for storage, would change nothing. */
  isEncodedAs(value: Buffer): boolean {
    const end = this.#versionEnd;
    const start = this.#versionStart;
    return (
      value.length === this.bytes.length - 1 - (end - start) &&
      value.compare(this.bytes, 0, start, 0, start) === 0 &&
      value.compare(this.bytes, end, this.bytes.length - 1, start) === 0
    );
  }

  /** A fresh copy that the caller may change, but for the sets of fields in `metadata.managedFields`: those are shared. */
  parse(): ResourceObject {
    return parseDocument(this.bytes);
  }

  /** For selectors; read on first use and kept. Undefined when there are none. */
  get labels(): Labels | undefined {
    if (this.#labels === undefined) this.#labels = this.#readLabels();
    return this.#labels ?? undefined;
  }

  /** What a function makes of the object; called on first use, and the result is kept. */
  values(of: ValuesOf): readonly string[] {
    const kept = this.#values;
    if (kept?.of === of) return kept.values;
    if (kept?.others?.of === of) return kept.others.values;
    const values = of(this);
    this.#values = { of, values, others: kept && { ...kept, others: undefined } };
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

interface VersionPlace {
  /** What lies between the two is replaced. */
  readonly start: number;
  readonly end: number;
  /** Of the document, without a line feed. */
  readonly length: number;
  readonly revision: number;
}

/** Copies by positions, because a view of a part costs more than its bytes. */
function withVersion(source: Buffer, { start, end, length, revision }: VersionPlace): Buffer {
  const digits = String(revision);
  // Not from the pool: an object that stays would keep eight kilobytes of what came and went beside it.
  const bytes = Buffer.allocUnsafeSlow(start + versionOpen.length + digits.length + 1 + (length - end) + 1);
  let at = source.copy(bytes, 0, 0, start);
  at += versionOpen.copy(bytes, at);
  at += bytes.write(digits, at, 'latin1');
  bytes[at++] = quote;
  at += source.copy(bytes, at, end, length);
  bytes[at] = newline;
  return bytes;
}
