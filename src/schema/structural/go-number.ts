/** TypeScript's library does not declare `JSON.rawJSON` yet. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };

/** The largest integer that JSON Schema's tools consider exact. */
const maxExact = 2 ** 53 - 1;
const int64Bound = 2 ** 63;

/** Whether Go decodes the number as `int64`. It decodes other numbers as `float64`. */
export function isGoInteger(value: number | bigint): boolean {
  return typeof value === 'bigint' || (Number.isInteger(value) && Math.abs(value) < int64Bound);
}

/** Formats a `float64` as Go's `%v` does: `1e+06`, `0.5`, `1.5e-07`. */
export function goFloat(value: number): string {
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  const sign = power < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** A number in an error: Go prints integers and floating point numbers differently. */
export function printedNumber(value: number | bigint): unknown {
  return isGoInteger(value) ? value : rawJSON(goFloat(Number(value)));
}

/** Whether a floating point number is an integer, except for rounding errors. */
export function isNearInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > maxExact) return false;
  if (Number.isInteger(value)) return true;
  const whole = Math.trunc(value);
  if (whole === 0) return false;
  return Math.abs(value - whole) / (Math.abs(value) + Math.abs(whole)) < 1e-9;
}
