/** The largest integer that JSON Schema's tools consider exact. */
const maxExact = 2 ** 53 - 1;

/** Whether a floating point number is an integer, except for rounding errors. */
export function isNearInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > maxExact) return false;
  if (Number.isInteger(value)) return true;
  const whole = Math.trunc(value);
  if (whole === 0) return false;
  return Math.abs(value - whole) / (Math.abs(value) + Math.abs(whole)) < 1e-9;
}
