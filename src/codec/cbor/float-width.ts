const float32 = new Float32Array(1);
const bits32 = new Uint32Array(float32.buffer);
const maxFloat16 = 65_504;
const smallestNormal = 2 ** -14;
const smallestStep = 2 ** -24;

/** How many bytes a float needs to keep its value: 2, 4 or 8. */
export function floatWidth(value: number): 2 | 4 | 8 {
  if (Math.fround(value) !== value) return 8;
  const size = Math.abs(value);
  if (size > maxFloat16) return 4;
  if (size < smallestNormal) return Number.isInteger(size / smallestStep) ? 2 : 4;
  float32[0] = value;
  // Of the 23 bits of the fraction only the upper ten are left.
  return (bits32[0]! & 0x1fff) === 0 ? 2 : 4;
}

/** The bits of a value whose width is 2. */
export function toFloat16(value: number): number {
  const size = Math.abs(value);
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  if (size < smallestNormal) return sign | (size / smallestStep);
  float32[0] = size;
  const bits = bits32[0]!;
  return sign | (((bits >> 23) - 112) << 10) | ((bits >> 13) & 0x3ff);
}
