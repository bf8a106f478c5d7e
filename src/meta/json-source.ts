/**
 * Details of a JSON text that the decoded value cannot represent. Present only when there are any. The outer map keys
 * are the objects and arrays of the decoded value.
 */
export interface JsonSource {
  /**
   * Keys that occur more than once in an object. The object has such a key at its last position, with its last value.
   */
  readonly duplicateKeys: ReadonlyMap<object, ReadonlySet<string>>;
  /**
   * Earlier values of duplicate keys, in order, each as an object with only that key. They are type-checked as well.
   * Encodings that report duplicate keys in their own wording fill in only this map, not `duplicateKeys`.
   */
  readonly superseded: ReadonlyMap<object, ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>>;
  /** The original text of numbers that JavaScript prints differently: `1.0`, `1e3`, too many digits. */
  readonly numberTexts: ReadonlyMap<object, ReadonlyMap<string, string>>;
}
