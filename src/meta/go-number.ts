const int64Bound = 2 ** 63;

/** Whether Go decodes the number as `int64`. It decodes other numbers as `float64`. */
export function isGoInteger(value: number | bigint): boolean {
  return typeof value === 'bigint' || (Number.isInteger(value) && Math.abs(value) < int64Bound);
}

/** Formats a `float64` as Go's `%v` does: `1e+06`, `0.5`, `1.5e-07`, `+Inf`. */
export function goFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** Formats a number from JSON as Go's `%v` does. */
export function goNumber(value: number | bigint): string {
  return isGoInteger(value) ? BigInt(value).toString() : goFloat(Number(value));
}
