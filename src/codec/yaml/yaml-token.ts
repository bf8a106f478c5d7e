/** The kinds of tokens. Each is one bit, so that a number can hold a set of kinds. */
export const tokens = {
  alias: 1 << 0,
  anchor: 1 << 1,
  blockEnd: 1 << 2,
  blockEntry: 1 << 3,
  blockMapping: 1 << 4,
  blockSequence: 1 << 5,
  directive: 1 << 6,
  documentEnd: 1 << 7,
  documentStart: 1 << 8,
  flowEntry: 1 << 9,
  flowMapping: 1 << 10,
  flowMappingEnd: 1 << 11,
  flowSequence: 1 << 12,
  flowSequenceEnd: 1 << 13,
  key: 1 << 14,
  /** A scalar without quotes. */
  plain: 1 << 15,
  /** Any other scalar. */
  scalar: 1 << 16,
  streamEnd: 1 << 17,
  tag: 1 << 18,
  value: 1 << 19,
  /** A position where a key may have begun. It is a key if a colon follows. Internal to the scanner. */
  possibleKey: 1 << 20,
  /** A position where a key is required. Internal to the scanner. */
  requiredKey: 1 << 21,
  /** A position that turned out to have no key. Internal to the scanner. */
  nothing: 1 << 22,
  /** The begin of a block mapping together with its first key. The scanner returns it as two tokens. */
  keyedMapping: 1 << 23,
} as const;
