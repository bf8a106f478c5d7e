/**
 * What the text of a JSON document said that its value cannot hold. Present only when there is something to say. The
 * outer keys are the objects and arrays of the value itself.
 */
export interface JsonSource {
  /** Keys that an object had more than once. Such a key stands where it came last, with its last value. */
  readonly duplicateKeys: ReadonlyMap<object, ReadonlySet<string>>;
  /**
   * What such a key had before its last value: objects with that key alone, in order. They have to be of the right type,
   * too. Encodings that tell repeated keys in their own words have them here only.
   */
  readonly superseded: ReadonlyMap<object, ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>>;
  /** How numbers were written, where printing the value gives another text: `1.0`, `1e3`, too many digits. */
  readonly numberTexts: ReadonlyMap<object, ReadonlyMap<string, string>>;
}
