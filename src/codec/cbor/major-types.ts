/** The upper three bits of the first byte of a data item. */
export const majorTypes = {
  unsigned: 0,
  negative: 1,
  bytes: 2,
  text: 3,
  array: 4,
  map: 5,
  tag: 6,
  primitive: 7,
} as const;

const names = [
  'positive integer',
  'negative integer',
  'byte string',
  'UTF-8 text string',
  'array',
  'map',
  'tag',
  'primitives',
] as const;

/** The name of a type in error messages. */
export type CborTypeName = (typeof names)[number];

export function typeName(major: number): CborTypeName {
  return names[major]!;
}

export const tags = {
  dateTime: 0,
  epochTime: 1,
  unsignedBignum: 2,
  negativeBignum: 3,
  base64url: 21,
  base64: 22,
  base16: 23,
} as const;

/** The lower five bits of the first byte of a primitive. */
export const primitives = { false: 20, true: 21, null: 22, float16: 25, float32: 26, float64: 27 } as const;

/** The self-described CBOR tag. Also used to detect CBOR content. */
export const selfDescribed: readonly number[] = [0xd9, 0xd9, 0xf7];

export const breakCode = 0xff;
