const float32 = new Float32Array(1);
const bits32 = new Uint32Array(float32.buffer);
const maxFloat16 = 65_504;
const smallestNormal = 2 ** -14;
const smallestStep = 2 ** -24;

/** Returns the number of bytes that preserve the value of a float: 2, 4 or 8. */
export function floatWidth(value: number): 2 | 4 | 8 {
  if (Math.fround(value) !== value) return 8;
  const size = Math.abs(value);
  if (size > maxFloat16) return 4;
  if (size < smallestNormal) return Number.isInteger(size / smallestStep) ? 2 : 4;
  float32[0] = value;
  // Half precision keeps only the upper ten of the 23 fraction bits.
  return (bits32[0]! & 0x1fff) === 0 ? 2 : 4;
}

/** Returns the half-precision bits of a value whose width is 2. */
export function toFloat16(value: number): number {
  const size = Math.abs(value);
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  if (size < smallestNormal) return sign | (size / smallestStep);
  float32[0] = size;
  const bits = bits32[0]!;
  return sign | (((bits >> 23) - 112) << 10) | ((bits >> 13) & 0x3ff);
}
